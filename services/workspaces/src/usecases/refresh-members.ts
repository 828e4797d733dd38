import { fail, faultCode, type Principal } from '@tautan/kit';
import type { User } from '../domain/user.js';
import type { Workspace } from '../domain/workspace.js';
import type { ProvidedMember } from '../provider/identity-provider.js';
import type { PeopleDeps } from './deps.js';
import { upstreamOf } from './managed-workspace.js';
import { reconcileMembers } from './reconcile-members.js';
import { reconcileWorkspaces } from './reconcile-workspaces.js';

/**
 * Asks the identity provider for a workspace's members and merges them into the mirror. Where the provider does not let
 * the person see them any more, the person's own memberships are merged instead. A workspace that is kept here alone stays
 * as it is. Throws what the provider answers otherwise.
 */
export async function refreshMembers(
  deps: PeopleDeps,
  { by, credential, workspace }: { by: Principal; credential: string; workspace: Workspace },
): Promise<void> {
  const upstream = upstreamOf(deps, workspace);
  if (!upstream) return;
  const { directory, externalId } = upstream;
  const user = await deps.users.find(by.id);
  if (!user) throw fail('UNAUTHENTICATED', 'Nobody of this id is known.');
  const token = await deps.accessTokenOf(credential);
  const readAt = deps.now();
  const provided = await directory.listMembers(token, externalId).catch((error: unknown) => {
    if (faultCode(error) === 'FORBIDDEN' || faultCode(error) === 'NOT_FOUND') return null;
    throw error;
  });
  if (provided) {
    // Members without the member who asked are not these members: nobody is removed for it.
    if (!provided.some((member) => isPerson(member, user))) throw fail('UPSTREAM_UNAVAILABLE', 'Not the members.');
    await reconcileMembers(deps, { by, workspace, provided, readAt, issuer: user.issuer });
  } else {
    await reconcileWorkspaces(deps, { by, user, provided: await directory.listWorkspaces(token), readAt });
  }
}

const isPerson = ({ subject, email }: ProvidedMember, user: User): boolean =>
  subject === user.subject || (subject === null && email === user.email);
