import type { Principal } from '@tautan/kit';
import { assertMayManage, type Subscription } from '../domain/subscription.js';
import type { SyncDeps } from '../usecase-deps.js';
import { changeSubscription, type ChangeDeps } from '../steps/change-subscription.js';
import { syncAccepted } from '../steps/sync-accepted.js';
import { syncIf } from '../steps/sync-if.js';

/**
 * Undoes a pending cancellation or downgrade, at the provider and then locally, and emits `subscription.updated`.
 * If neither the stored subscription nor the provider has anything to undo, only syncs the subscription with the
 * provider. Throws FORBIDDEN unless the principal may manage billing, and SUBSCRIPTION_STATE without a subscription.
 * Throws SERVICE_UNAVAILABLE if no provider is configured, or if a concurrent change undoes the resumption. Throws
 * UPSTREAM_UNAVAILABLE if the provider fails. In that case, the request may have been recorded, but the stored
 * subscription keeps its pending cancellation or downgrade.
 */
export async function resumeSubscription(deps: ChangeDeps, by: Principal): Promise<Subscription> {
  assertMayManage(by);
  return changeSubscription(deps, by, (syncDeps, found) => resume(syncDeps, by, found));
}

async function resume(
  deps: SyncDeps,
  by: Principal,
  found: Subscription & { providerId: string },
): Promise<Subscription> {
  const subscription = await syncIf(deps, found, isUnchanging);
  if (isUnchanging(subscription)) return subscription;
  const requested = await deps.store.subscriptions.recordRequest(subscription._id, { by, at: deps.now() });
  await deps.provider.resume(subscription.providerId);
  return syncAccepted(deps, requested, isUnchanging);
}

/** Returns whether a subscription is renewed on its current plan. */
const isUnchanging = ({ cancelAtPeriodEnd, pendingPlan }: Subscription): boolean =>
  !cancelAtPeriodEnd && pendingPlan === null;
