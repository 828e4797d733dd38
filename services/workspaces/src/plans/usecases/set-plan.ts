import { fail, type Operator } from '@tautan/kit';
import type { Workspace } from '../../workspaces/domain/workspace.js';
import { parseGivenPlan } from '../domain/workspace-plan.js';
import { changePlan, type PlanDeps } from '../steps/change-plan.js';

/**
 * Assigns a plan to a workspace. If `plan` is empty, removes the assigned plan. The plan of a live subscription takes
 * precedence. Emits `workspace.updated` if the effective plan changed, and notifies the gateways. Throws
 * VALIDATION_ERROR naming `plan`, and NOT_FOUND.
 */
export async function setPlan(
  deps: PlanDeps,
  by: Operator,
  { workspaceId, plan }: { workspaceId: string; plan: string },
): Promise<Workspace> {
  const given = parseGivenPlan(plan);
  const changed = await deps.transact(by, async (tx) => {
    const workspace = await deps.workspaces.find(workspaceId, tx);
    if (!workspace) throw fail('NOT_FOUND', 'No workspace with this id.');
    return changePlan(deps, { workspace, planSources: { ...workspace.planSources, given } }, tx);
  });
  deps.invalidateEntitlements(workspaceId);
  return changed;
}
