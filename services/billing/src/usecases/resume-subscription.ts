import type { Principal } from '@tautan/kit';
import { assertLive, assertMayManage, type Subscription } from '../domain/subscription.js';
import { withProvider, type Deps } from '../usecase-deps.js';
import { syncAccepted } from '../steps/sync-accepted.js';
import { syncIf } from '../steps/sync-if.js';

/**
 * Undoes a pending cancellation or downgrade, at the provider and then locally, and emits `subscription.updated`.
 * Returns the subscription if there is nothing to undo, according to the provider. Throws FORBIDDEN unless the principal
 * may manage billing, SERVICE_UNAVAILABLE without a provider, and SUBSCRIPTION_STATE without a subscription. Throws
 * UPSTREAM_UNAVAILABLE if the provider fails. By then the request may have been recorded, but the stored subscription
 * keeps its pending cancellation or downgrade.
 */
export async function resumeSubscription(deps: Deps, by: Principal): Promise<Subscription> {
  assertMayManage(by);
  const providerDeps = withProvider(deps);
  const found = await deps.store.subscriptions.ofWorkspace(by.workspaceId);
  assertLive(found);
  const subscription = await syncIf(providerDeps, found, isUnchanging);
  if (isUnchanging(subscription)) return subscription;
  const requested = await deps.store.subscriptions.recordRequest(subscription._id, { by, at: deps.now() });
  await providerDeps.provider.resume(subscription.providerId);
  return syncAccepted(providerDeps, requested);
}

/** Returns whether a subscription is renewed on its current plan. */
const isUnchanging = ({ cancelAtPeriodEnd, pendingPlan }: Subscription): boolean =>
  !cancelAtPeriodEnd && pendingPlan === null;
