import type { WorkspaceStore } from '../store/workspaces.js';
import { describeForOperators, type DescribeDeps, type OperatorWorkspace } from '../steps/operator-workspaces.js';

/**
 * Returns a page of all workspaces, newest first. The page contains the workspaces that are older than the one with the
 * id `after`, or the newest ones if `after` is empty.
 */
export const listAllWorkspaces = async (
  deps: DescribeDeps & { workspaces: WorkspaceStore },
  { after, limit }: { after: string; limit: number },
): Promise<OperatorWorkspace[]> => describeForOperators(deps, await deps.workspaces.page(after, limit));
