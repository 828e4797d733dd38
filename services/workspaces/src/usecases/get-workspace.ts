import { fail, type Principal } from '@tautan/kit';
import type { Workspace } from '../domain/workspace.js';
import type { WorkspaceStore } from '../store/workspaces.js';

/** The principal's workspace. Throws NOT_FOUND when there is none any more. */
export async function getWorkspace(
  { workspaces }: { workspaces: WorkspaceStore },
  { by }: { by: Principal },
): Promise<Workspace> {
  const workspace = await workspaces.find(by.workspaceId);
  if (!workspace) throw fail('NOT_FOUND', 'There is no such workspace.');
  return workspace;
}
