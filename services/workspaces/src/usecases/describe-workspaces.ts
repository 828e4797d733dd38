import type { Role } from '../domain/member.js';
import type { Workspace } from '../domain/workspace.js';
import type { MemberStore } from '../store/members.js';

/** A workspace as its caller sees it. */
export interface DescribedWorkspace extends Workspace {
  /** The caller's; empty for an API key and for operators. */
  role: Role | '';
  /** Those who have joined. */
  memberCount: number;
  /** Whether it is the one that the caller works in. */
  current: boolean;
}

/** Adds to workspaces what their caller's view needs besides: the role in each, the members' number, which is current. */
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

/** One workspace as its caller sees it. */
export async function describeWorkspace(
  deps: { members: MemberStore },
  workspace: Workspace,
  { role, current }: { role: Role | ''; current: boolean },
): Promise<DescribedWorkspace> {
  const view = { roleIn: () => role, currentId: current ? workspace._id : null };
  const [described] = await describeWorkspaces(deps, [workspace], view);
  return described!;
}
