import { fail, type Principal } from '@tautan/kit';
import type { Member } from '../domain/member.js';
import type { ProviderDeps } from '../../usecase-deps.js';
import { refreshMembers } from '../steps/refresh-members.js';
import { refreshMirror } from '../../workspaces/steps/refresh-mirror.js';

/**
 * Returns the members and open invitations of the principal's workspace from the mirror, newest first. For a user,
 * first refreshes the mirror from the identity provider; if that fails or takes too long, returns the mirror as it is.
 * Throws NOT_FOUND, FORBIDDEN for a user who is not a member, and UNAUTHENTICATED or TOKEN_EXPIRED for an invalid
 * credential.
 */
export async function listMembers(
  deps: ProviderDeps,
  by: Principal,
  { credential }: { credential: string },
): Promise<Member[]> {
  const workspace = await deps.workspaces.find(by.workspaceId);
  if (!workspace) throw fail('NOT_FOUND', 'No workspace with this id.');
  if (by.kind === 'user') {
    await refreshMirror(deps.background, `members of ${workspace._id} for ${by.id}`, () =>
      refreshMembers(deps, { by, credential, workspace }),
    );
    if (!(await deps.members.findMembership(workspace._id, by.id))) {
      throw fail('FORBIDDEN', 'You are not a member of this workspace.');
    }
  }
  return (await deps.members.ofWorkspace(workspace._id)).reverse();
}
