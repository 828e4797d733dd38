import { fail, faultCode, type Principal } from '@tautan/kit';
import type { User } from '../../sessions/domain/user.js';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import type { ProviderMember } from '../../provider/identity-provider.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { upstreamOf } from '../../workspaces/steps/manageable-workspace.js';
import { reconcileMembers, type RepeatableInvitation } from './reconcile-members.js';
import { reconcileWorkspaces } from '../../workspaces/steps/reconcile-workspaces.js';

interface Refresh {
  /** The user whose credential is used. */
  by: Principal;
  credential: string;
  workspace: Workspace;
  /** The requested invitation, if an earlier attempt may already have created it. */
  repeatable?: RepeatableInvitation | undefined;
}

/**
 * Reads a workspace's members from the identity provider and merges them into the local mirror. If the provider
 * responds that the user may not read them or that the workspace does not exist, merges the user's own memberships
 * instead. Throws the provider's other errors. Does nothing for a workspace that is managed locally.
 */
export async function refreshMembers(
  deps: ProviderDeps,
  { by, credential, workspace, repeatable }: Refresh,
): Promise<void> {
  const upstream = upstreamOf(deps, workspace);
  if (!upstream) return;
  const { directory, externalId } = upstream;
  const user = await deps.users.find(by.id);
  if (!user) throw fail('UNAUTHENTICATED', 'No user with this id.');
  const token = await deps.accessTokenOf(credential);
  const readAt = deps.now();
  const provided = await directory.listMembers(token, externalId).catch((error: unknown) => {
    if (faultCode(error) === 'FORBIDDEN' || faultCode(error) === 'NOT_FOUND') return null;
    throw error;
  });
  if (provided) {
    // A list without the requesting member is invalid and must not remove anybody.
    if (!provided.some((member) => isUser(member, user)))
      throw fail('UPSTREAM_UNAVAILABLE', 'The identity provider returned an invalid list of members.');
    await reconcileMembers(deps, { by, workspace, provided, readAt, issuer: user.issuer, repeatable });
  } else {
    const own = await directory.listWorkspaces(token);
    await reconcileWorkspaces(deps, { by: null, user, provided: own, readAt });
  }
}

const isUser = ({ subject, email }: ProviderMember, user: User): boolean =>
  subject === user.subject || (subject === null && email === user.email);
