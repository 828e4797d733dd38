import { fail, type Principal } from '@tautan/kit';
import type { MemberStore } from '../../store/index.js';
import type { WorkspaceStore } from '../store/workspaces.js';
import { describeWorkspace, type DescribedWorkspace } from '../steps/describe-workspaces.js';

interface Deps {
  workspaces: WorkspaceStore;
  members: MemberStore;
}

/** Returns the principal's workspace. Throws NOT_FOUND if it no longer exists. */
export async function getWorkspace(deps: Deps, by: Principal): Promise<DescribedWorkspace> {
  const workspace = await deps.workspaces.find(by.workspaceId);
  if (!workspace) throw fail('NOT_FOUND', 'No workspace with this id.');
  return describeWorkspace(deps, workspace, { role: by.kind === 'user' ? by.role : '', current: true });
}
