import { faultCode, type Principal } from '@tautan/kit';
import type { Workspace } from '../domain/workspace.js';
import type { Directory } from '../provider/identity-provider.js';
import type { PeopleDeps } from './deps.js';
import { upstreamOf } from './managed-workspace.js';
import { refreshMembers } from './refresh-members.js';

/** Whose change it is, and where. */
export interface Where {
  by: Principal;
  credential: string;
  workspace: Workspace;
}

/** The workspace at the provider, with the person's access token. */
export interface ProvidedPlace {
  directory: Directory;
  token: string;
  workspaceId: string;
}

/** What the provider answers when it knows something that the mirror does not. */
const behind: unknown[] = ['FORBIDDEN', 'NOT_FOUND', 'ALREADY_MEMBER'];

/**
 * Does something at the identity provider in the person's name; nothing, where the workspace is kept here alone. Throws
 * what the provider answers. A refusal that shows that the mirror is behind brings it up to date, for the next look.
 */
export async function push<T>(
  deps: PeopleDeps,
  where: Where,
  work: (at: ProvidedPlace) => Promise<T>,
): Promise<T | undefined> {
  const upstream = upstreamOf(deps, where.workspace);
  if (!upstream) return undefined;
  const token = await deps.accessTokenOf(where.credential);
  try {
    return await work({ directory: upstream.directory, token, workspaceId: upstream.externalId });
  } catch (error) {
    if (behind.includes(faultCode(error))) {
      const name = `members of ${where.workspace._id} for ${where.by.id}`;
      deps.background.run(name, () => refreshMembers(deps, where));
    }
    throw error;
  }
}
