import { fail, type Principal } from '@tautan/kit';
import { assertUser } from '../../members/domain/member.js';
import type { MirrorDeps } from '../../usecase-deps.js';
import { describeWorkspace, type DescribedWorkspace } from '../steps/describe-workspaces.js';
import { emitWorkspace } from '../steps/workspace-events.js';

/**
 * Makes a workspace the user's last active one and emits `workspace.switched`. Throws PERSON_ONLY, VALIDATION_ERROR
 * naming `workspaceId`, NOT_FOUND for an unknown workspace, and FORBIDDEN for one that the user does not belong to.
 */
export async function switchWorkspace(
  deps: MirrorDeps,
  by: Principal,
  { workspaceId }: { workspaceId: string },
): Promise<DescribedWorkspace> {
  assertUser(by);
  if (!workspaceId) throw fail('VALIDATION_ERROR', 'workspaceId is required.', 'workspaceId');
  const { workspace, role } = await deps.transact(by, async (tx) => {
    const [workspace, user] = [await deps.workspaces.find(workspaceId, tx), await deps.users.find(by.id)];
    if (!workspace) throw fail('NOT_FOUND', 'No workspace with this id.');
    // The lock conflicts with a concurrent removal of the member, so that the last active workspace is not set to one
    // that the user has just left.
    const isMember = await deps.members.lock(workspaceId, by.id, tx);
    const membership = isMember && (await deps.members.findMembership(workspaceId, by.id));
    if (!membership) throw fail('FORBIDDEN', 'You are not a member of this workspace.');
    await deps.users.setLastWorkspace(by.id, workspaceId, tx);
    const before = user?.lastWorkspaceId ?? null;
    emitWorkspace(tx, 'workspace.switched', workspace, { workspaceId: { before, after: workspaceId } });
    return { workspace, role: membership.role };
  });
  deps.recheckCredentials({ userIds: [by.id] });
  return describeWorkspace(deps, workspace, { role, current: true });
}
