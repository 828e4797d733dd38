import type { Principal } from '@tautan/kit';
import { assertLive, assertMayManage, type Subscription } from '../domain/subscription.js';
import { withProvider, type Deps } from '../usecase-deps.js';
import { cancelAtPeriodEnd } from '../steps/cancel-at-period-end.js';

/**
 * Cancels the subscription at the end of its period, at the provider and then locally, and emits
 * `subscription.updated`. Idempotent. Throws FORBIDDEN, SERVICE_UNAVAILABLE without a provider, and SUBSCRIPTION_STATE
 * without a subscription. Throws UPSTREAM_UNAVAILABLE if the provider fails; the cancellation is not stored.
 */
export async function cancelSubscription(deps: Deps, by: Principal): Promise<Subscription> {
  assertMayManage(by);
  const providerDeps = withProvider(deps);
  const subscription = await deps.store.subscriptions.ofWorkspace(by.workspaceId);
  assertLive(subscription);
  return cancelAtPeriodEnd(providerDeps, by, subscription);
}
