import { fail, type Principal } from '@tautan/kit';
import type { PlanName } from '@tautan/proto';
import { checkPaidPlan, checkPlan, rank } from '../domain/plans.js';
import { assertLive, assertMayManage, type Subscription } from '../domain/subscription.js';
import { withProvider, type Deps } from '../usecase-deps.js';
import { cancelAtPeriodEnd } from '../steps/cancel-at-period-end.js';
import { syncAccepted } from '../steps/sync-accepted.js';
import { syncIf } from '../steps/sync-if.js';

/**
 * Schedules a change to a lower plan for the end of the period, first at the provider and then locally, and emits
 * `subscription.updated`. A change to FREE cancels the subscription at the end of the period. Idempotent. Throws
 * FORBIDDEN if the caller may not manage billing, VALIDATION_ERROR naming `plan` if the plan is unknown or not lower,
 * SERVICE_UNAVAILABLE without a provider, and SUBSCRIPTION_STATE without a live subscription. Throws
 * UPSTREAM_UNAVAILABLE if the provider fails. This call has then stored at most the request, but the provider may already
 * have scheduled the change.
 */
export async function downgradeSubscription(deps: Deps, by: Principal, input: { plan: string }): Promise<Subscription> {
  assertMayManage(by);
  const plan = checkPlan(input.plan);
  const providerDeps = withProvider(deps);
  const found = await deps.store.subscriptions.ofWorkspace(by.workspaceId);
  assertLive(found);
  assertLower(plan, found.plan);
  if (plan === 'FREE') return cancelAtPeriodEnd(providerDeps, by, found);
  const subscription = await syncIf(providerDeps, found, ({ pendingPlan }) => pendingPlan === plan);
  if (plan === subscription.pendingPlan) return subscription;
  // The read may have shown that the plan has already been lowered.
  assertLower(plan, subscription.plan);
  const requested = await deps.store.subscriptions.recordRequest(subscription._id, { by, at: deps.now() });
  await providerDeps.provider.downgrade(subscription.providerId, { from: checkPaidPlan(subscription.plan), to: plan });
  return syncAccepted(providerDeps, requested);
}

function assertLower(plan: PlanName, current: PlanName): void {
  if (rank(plan) >= rank(current)) throw fail('VALIDATION_ERROR', `plan must be lower than ${current}.`, 'plan');
}
