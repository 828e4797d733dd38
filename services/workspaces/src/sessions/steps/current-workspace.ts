import { fail } from '@tautan/kit';
import type { AuthenticatedUser } from '../domain/authenticated-user.js';
import type { MemberStore } from '../../store/index.js';
import type { WorkspaceStore } from '../../store/index.js';

interface Deps {
  members: MemberStore;
  workspaces: WorkspaceStore;
}

/**
 * Returns the user with their current workspace: the requested one if `workspaceId` is not empty; else the last one
 * they switched to, if they are still a member; else the one of their oldest membership; else none. Throws FORBIDDEN if
 * they are not a member of the requested one.
 */
export async function withCurrentWorkspace(
  { members, workspaces }: Deps,
  { workspaceId = '', ...authenticated }: Omit<AuthenticatedUser, 'current'> & { workspaceId?: string },
): Promise<AuthenticatedUser> {
  const memberships = await members.membershipsOf(authenticated.user._id);
  const wanted = workspaceId || authenticated.user.lastWorkspaceId;
  const membership =
    memberships.find((one) => one.workspaceId === wanted) ?? (workspaceId ? undefined : memberships[0]);
  const workspace = membership && (await workspaces.find(membership.workspaceId));
  if (workspaceId && !workspace) throw fail('FORBIDDEN', 'You are not a member of this workspace.');
  return { ...authenticated, current: workspace ? { workspace, role: membership.role } : null };
}
