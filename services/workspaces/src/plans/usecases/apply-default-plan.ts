import { changePlan, type PlanDeps } from '../steps/change-plan.js';

/** Maximum number of workspaces per transaction, to bound its duration. */
const BATCH = 50;

/**
 * Applies a change of DEFAULT_PLAN: emits `workspace.updated` and notifies the gateways for every workspace that has no
 * plan of its own, and whose last emitted plan differs from the default.
 */
export async function applyDefaultPlan(deps: PlanDeps): Promise<void> {
  for (;;) {
    const changed = await deps.transact(null, async (tx) => {
      const found = await deps.workspaces.findUnannounced(BATCH, tx);
      for (const workspace of found) await changePlan(deps, { workspace, planSources: workspace.planSources }, tx);
      return found;
    });
    for (const { _id } of changed) deps.invalidateEntitlements(_id);
    if (changed.length < BATCH) return;
  }
}
