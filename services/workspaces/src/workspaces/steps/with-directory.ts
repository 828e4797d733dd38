import { faultCode, type Principal } from '@tautan/kit';
import type { Workspace } from '../domain/workspace.js';
import type { Directory } from '../../provider/identity-provider.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { upstreamOf } from './manageable-workspace.js';
import type { RepeatableInvitation } from '../../members/steps/reconcile-members.js';
import { refreshMembers } from '../../members/steps/refresh-members.js';

/** The principal who makes a change, their credential, and the workspace. */
export interface ChangeContext {
  by: Principal;
  credential: string;
  workspace: Workspace;
  /** The requested invitation, if an earlier attempt may already have created it. */
  repeatable?: RepeatableInvitation | undefined;
}

/** A workspace at the identity provider, with the user's access token. */
export interface DirectoryContext {
  directory: Directory;
  token: string;
  /** Id at the identity provider. */
  workspaceId: string;
}

/** Error codes that indicate that the mirror, the stored copy of the provider's members, is stale. */
const staleCodes: unknown[] = ['FORBIDDEN', 'NOT_FOUND', 'ALREADY_MEMBER'];

/**
 * Runs `work` against the identity provider with the user's token. Returns undefined if the workspace is managed
 * locally. Throws the provider's errors. An error that indicates a stale mirror also starts a refresh in the
 * background.
 */
export async function withDirectory<T>(
  deps: ProviderDeps,
  change: ChangeContext,
  work: (context: DirectoryContext) => Promise<T>,
): Promise<T | undefined> {
  const upstream = upstreamOf(deps, change.workspace);
  if (!upstream) return undefined;
  const token = await deps.accessTokenOf(change.credential);
  try {
    return await work({ directory: upstream.directory, token, workspaceId: upstream.externalId });
  } catch (error) {
    if (staleCodes.includes(faultCode(error))) {
      const name = `members of ${change.workspace._id} for ${change.by.id}`;
      deps.background.run(name, () => refreshMembers(deps, change));
    }
    throw error;
  }
}
