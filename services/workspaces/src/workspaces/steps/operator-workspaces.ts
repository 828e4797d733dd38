import type { Member } from '../../members/domain/member.js';
import type { Workspace } from '../domain/workspace.js';
import type { MemberStore } from '../../store/index.js';

/** A workspace as seen by operators. */
export interface OperatorWorkspace extends Workspace {
  owner: Member | undefined;
  /** Number of active members. */
  memberCount: number;
}

export interface DescribeDeps {
  members: MemberStore;
}

/** Adds the owner and the member count to workspaces. */
export async function describeForOperators(
  { members }: DescribeDeps,
  workspaces: Workspace[],
): Promise<OperatorWorkspace[]> {
  const ids = workspaces.map(({ _id }) => _id);
  const [counts, owners] = await Promise.all([members.counts(ids), members.ownersOf(ids)]);
  return workspaces.map((workspace) => ({
    ...workspace,
    owner: owners.find(({ workspaceId }) => workspaceId === workspace._id),
    memberCount: counts.get(workspace._id) ?? 0,
  }));
}
