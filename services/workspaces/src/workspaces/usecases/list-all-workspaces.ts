import type { WorkspaceStore } from '../store/workspaces.js';
import { describeForOperators, type DescribeDeps, type OperatorWorkspace } from '../steps/operator-workspaces.js';

/** Returns a page of all workspaces after an id, newest first. */
export const listAllWorkspaces = async (
  deps: DescribeDeps & { workspaces: WorkspaceStore },
  { after, limit }: { after: string; limit: number },
): Promise<OperatorWorkspace[]> => describeForOperators(deps, await deps.workspaces.page(after, limit));
