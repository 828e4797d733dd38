import { newId, type Principal } from '@tautan/kit';
import type { Transact } from '@tautan/kit/mongo';
import { planNamed, workspaceName, type Workspace } from '../domain/workspace.js';
import type { WorkspaceStore } from '../store/workspaces.js';

interface Deps {
  workspaces: WorkspaceStore;
  transact: Transact;
  now: () => Date;
}

/** Creates a workspace and tells `workspace.created`. Throws VALIDATION_ERROR naming `name` or `plan`. */
export async function createWorkspace(
  { workspaces, transact, now }: Deps,
  { by, name, plan }: { by: Principal | null; name: string; plan: string },
): Promise<Workspace> {
  const workspace: Workspace = {
    _id: newId('ws'),
    name: workspaceName(name),
    plan: planNamed(plan),
    createdAt: now(),
  };
  await transact(by, async (tx) => {
    await workspaces.insert(workspace, tx);
    tx.emit({
      type: 'workspace.created',
      workspaceId: workspace._id,
      target: { type: 'workspace', id: workspace._id, label: workspace.name },
      data: {
        id: workspace._id,
        name: workspace.name,
        plan: workspace.plan,
        createdAt: workspace.createdAt.toISOString(),
      },
    });
  });
  return workspace;
}
