import type { Member } from '../domain/member.js';
import type { Workspace } from '../domain/workspace.js';
import type { MemberStore } from '../store/members.js';
import type { WorkspaceStore } from '../store/workspaces.js';

/** A workspace as operators see it. */
export interface OverseenWorkspace extends Workspace {
  owner: Member | undefined;
  /** Those who have joined. */
  memberCount: number;
}

interface Deps {
  workspaces: WorkspaceStore;
  members: MemberStore;
}

/** Returns a page of all workspaces behind an id, newest first. */
export const listAllWorkspaces = async (
  deps: Deps,
  { after, limit }: { after: string; limit: number },
): Promise<OverseenWorkspace[]> => oversee(deps, await deps.workspaces.page(after, limit));

/** Adds to workspaces what operators see besides. */
export async function oversee({ members }: Deps, workspaces: Workspace[]): Promise<OverseenWorkspace[]> {
  const ids = workspaces.map(({ _id }) => _id);
  const [counts, owners] = await Promise.all([members.counts(ids), members.ownersOf(ids)]);
  return workspaces.map((workspace) => ({
    ...workspace,
    owner: owners.find(({ workspaceId }) => workspaceId === workspace._id),
    memberCount: counts.get(workspace._id) ?? 0,
  }));
}
