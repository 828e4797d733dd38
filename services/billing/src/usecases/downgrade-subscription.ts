import { fail, type Principal } from '@tautan/kit';
import type { PaidPlanName, PlanName } from '@tautan/proto';
import { checkPaidPlan, checkPlan, rank } from '../domain/plans.js';
import { assertMayManage, type Subscription } from '../domain/subscription.js';
import type { SyncDeps } from '../usecase-deps.js';
import { cancelAtPeriodEnd } from '../steps/cancel-at-period-end.js';
import { changeSubscription, type ChangeDeps } from '../steps/change-subscription.js';
import { syncAccepted } from '../steps/sync-accepted.js';
import { syncIf } from '../steps/sync-if.js';

/**
 * Schedules a change to a lower plan for the end of the period, first at the provider and then locally, and emits
 * `subscription.updated`. A change to FREE cancels the subscription at the end of the period. Idempotent. Throws
 * FORBIDDEN unless the principal may manage billing, VALIDATION_ERROR naming `plan` if the plan is unknown or not
 * lower, and SUBSCRIPTION_STATE if there is no live subscription. Throws SERVICE_UNAVAILABLE if there is no provider,
 * or if a concurrent change undoes the downgrade. Throws UPSTREAM_UNAVAILABLE if the provider fails. The downgrade is
 * then not stored locally, but the provider may already have scheduled it.
 */
export async function downgradeSubscription(
  deps: ChangeDeps,
  by: Principal,
  input: { plan: string },
): Promise<Subscription> {
  assertMayManage(by);
  const plan = checkPlan(input.plan);
  return changeSubscription(deps, by, async (syncDeps, found) => {
    assertLower(plan, found.plan);
    return plan === 'FREE' ? cancelAtPeriodEnd(syncDeps, by, found) : downgrade(syncDeps, by, found, plan);
  });
}

async function downgrade(
  deps: SyncDeps,
  by: Principal,
  found: Subscription & { providerId: string },
  plan: PaidPlanName,
): Promise<Subscription> {
  const isPending = ({ pendingPlan }: Subscription): boolean => pendingPlan === plan;
  const subscription = await syncIf(deps, found, isPending);
  if (isPending(subscription)) return subscription;
  // The sync may have shown that the plan has already been lowered.
  assertLower(plan, subscription.plan);
  const requested = await deps.store.subscriptions.recordRequest(subscription._id, { by, at: deps.now() });
  await deps.provider.downgrade(subscription.providerId, { from: checkPaidPlan(subscription.plan), to: plan });
  // The provider may have applied the downgrade already.
  return syncAccepted(deps, requested, (after) => isPending(after) || after.plan === plan);
}

function assertLower(plan: PlanName, current: PlanName): void {
  if (rank(plan) >= rank(current)) throw fail('VALIDATION_ERROR', `plan must be lower than ${current}.`, 'plan');
}
