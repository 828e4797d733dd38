import type { Role } from '../../members/domain/member.js';
import type { Workspace } from '../domain/workspace.js';
import type { MemberStore } from '../../store/index.js';

/** A workspace as seen by the caller. */
export interface DescribedWorkspace extends Workspace {
  /** The caller's role; empty for an API key. */
  role: Role | '';
  /** Number of active members. */
  memberCount: number;
  /** Whether it is the caller's current workspace. */
  current: boolean;
}

/** Adds the caller's role, the member count and the current flag to workspaces. */
export async function describeWorkspaces(
  { members }: { members: MemberStore },
  workspaces: Workspace[],
  { roleIn, currentId }: { roleIn: (workspaceId: string) => Role | ''; currentId: string | null },
): Promise<DescribedWorkspace[]> {
  const counts = await members.counts(workspaces.map(({ _id }) => _id));
  return workspaces.map((workspace) => ({
    ...workspace,
    role: roleIn(workspace._id),
    memberCount: counts.get(workspace._id) ?? 0,
    current: workspace._id === currentId,
  }));
}

/** Returns one workspace as seen by the caller. */
export async function describeWorkspace(
  deps: { members: MemberStore },
  workspace: Workspace,
  { role, current }: { role: Role | ''; current: boolean },
): Promise<DescribedWorkspace> {
  const view = { roleIn: () => role, currentId: current ? workspace._id : null };
  const [described] = await describeWorkspaces(deps, [workspace], view);
  return described!;
}
