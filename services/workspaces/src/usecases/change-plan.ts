import type { Transact, Transaction } from '@tautan/kit/mongo';
import type { PlanName } from '@tautan/proto';
import type { Workspace } from '../domain/workspace.js';
import { effectivePlan, type PlanSources } from '../domain/workspace-plan.js';
import type { WorkspaceStore } from '../store/workspaces.js';
import { emitWorkspace } from './workspace-events.js';

export interface PlanDeps {
  workspaces: WorkspaceStore;
  /** The plan of workspaces without one of their own. */
  defaultPlan: PlanName;
  transact: Transact;
  /** Makes every gateway ask anew what a workspace may do. Call it after the commit. */
  dropEntitlements: (workspaceId: string) => void;
}

/**
 * Writes what decides the plan of a workspace that was read in this transaction, and returns it. When the plan differs from
 * the announced one, its version is incremented and `workspace.updated` is emitted.
 */
export async function changePlan(
  { workspaces, defaultPlan }: Pick<PlanDeps, 'workspaces' | 'defaultPlan'>,
  { workspace, planSources }: { workspace: Workspace; planSources: PlanSources },
  tx: Transaction,
): Promise<Workspace> {
  const { announcedPlan: before, planVersion } = workspace;
  const plan = effectivePlan(planSources, defaultPlan);
  const version = plan === before ? planVersion : planVersion + 1;
  const changed = { ...workspace, planSources, plan, announcedPlan: plan, planVersion: version };
  await workspaces.writePlan(changed, tx);
  if (plan !== before) emitWorkspace(tx, 'workspace.updated', changed, { plan: { before, after: plan } });
  return changed;
}
