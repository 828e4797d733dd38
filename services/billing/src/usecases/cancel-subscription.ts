import type { Principal } from '@tautan/kit';
import { assertMayManage, type Subscription } from '../domain/subscription.js';
import { cancelAtPeriodEnd } from '../steps/cancel-at-period-end.js';
import { changeSubscription, type ChangeDeps } from '../steps/change-subscription.js';

/**
 * Cancels the subscription at the end of its period, at the provider and then locally, and emits
 * `subscription.updated`. Idempotent. Throws FORBIDDEN unless the principal may manage billing; SERVICE_UNAVAILABLE
 * without a provider, or if a concurrent change undoes the cancellation; SUBSCRIPTION_STATE without a subscription.
 * Throws UPSTREAM_UNAVAILABLE if the provider fails; the cancellation is then not stored, although the provider may
 * have scheduled it.
 */
export async function cancelSubscription(deps: ChangeDeps, by: Principal): Promise<Subscription> {
  assertMayManage(by);
  return changeSubscription(deps, by, (syncDeps, found) => cancelAtPeriodEnd(syncDeps, by, found));
}
