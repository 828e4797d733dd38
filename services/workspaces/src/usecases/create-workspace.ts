import { newId, type Principal } from '@tautan/kit';
import type { Transact, Transaction } from '@tautan/kit/mongo';
import { planNamed, workspaceData, workspaceName, type Workspace } from '../domain/workspace.js';
import type { WorkspaceStore } from '../store/workspaces.js';
import { retryDuplicates } from './retry-duplicates.js';

interface Deps {
  workspaces: WorkspaceStore;
  transact: Transact;
  now: () => Date;
}

/**
 * Creates a workspace and tells `workspace.created`; with an `externalId` the mirror of one at the identity provider, or
 * answers the one that mirrors it already, put on this plan, which tells `workspace.updated`. Throws VALIDATION_ERROR naming `name` or `plan`.
 */
export async function createWorkspace(
  { workspaces, transact, now }: Deps,
  { by, name, plan, externalId = '' }: { by: Principal | null; name: string; plan: string; externalId?: string },
): Promise<Workspace> {
  const workspace: Workspace = {
    _id: newId('ws'),
    ...(externalId !== '' && { externalId }),
    name: workspaceName(name),
    plan: planNamed(plan),
    linkCount: 0,
    qrCodeCount: 0,
    asOf: now(),
    createdAt: now(),
  };
  const create = async (tx: Transaction): Promise<Workspace> => {
    const mirrored = await onPlan(workspaces, workspace, now(), tx);
    if (mirrored) return mirrored;
    await workspaces.insert([workspace], tx);
    tx.emit({
      type: 'workspace.created',
      workspaceId: workspace._id,
      target: { type: 'workspace', id: workspace._id, label: workspace.name },
      data: workspaceData(workspace),
    });
    return workspace;
  };
  return retryDuplicates(() => transact(by, create));
}

/** The workspace that mirrors the same one of the provider, if there is one, put on the plan. */
async function onPlan(
  workspaces: WorkspaceStore,
  { externalId, plan }: Workspace,
  at: Date,
  tx: Transaction,
): Promise<Workspace | undefined> {
  const [mirrored] = externalId === undefined ? [] : await workspaces.findProvided([externalId], tx);
  if (!mirrored) return undefined;
  const changed = { ...mirrored, plan };
  if (mirrored.plan === plan) return changed;
  await workspaces.setPlan(mirrored._id, plan, at, tx);
  tx.emit({
    type: 'workspace.updated',
    workspaceId: mirrored._id,
    target: { type: 'workspace', id: mirrored._id, label: mirrored.name },
    data: workspaceData(changed),
    changes: { plan: { before: mirrored.plan, after: plan } },
  });
  return changed;
}
