import type { Transact, Transaction } from '@tautan/kit/mongo';
import type { PlanName } from '@tautan/proto';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import { effectivePlan, type PlanSources } from '../domain/workspace-plan.js';
import type { WorkspaceStore } from '../../store/index.js';
import { emitWorkspace } from '../../workspaces/steps/workspace-events.js';

export interface PlanDeps {
  workspaces: WorkspaceStore;
  /** The plan of workspaces without their own. */
  defaultPlan: PlanName;
  transact: Transact;
  /** Makes every gateway reload the entitlements of a workspace. Call it after the commit. */
  invalidateEntitlements: (workspaceId: string) => void;
}

/**
 * Writes the plan sources of a workspace that was read in this transaction, and returns the changed workspace. If the
 * effective plan differs from the last emitted one, increments the plan's version and emits `workspace.updated`.
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
