import type { Principal } from '@tautan/kit';
import { assertLive, assertMayManage, type Subscription } from '../domain/subscription.js';
import { withProvider, type Deps } from './deps.js';
import { followProvider } from './follow-provider.js';

/**
 * Undoes a cancellation and a pending downgrade, at the provider and then here, and emits `subscription.updated`. Returns the
 * subscription unchanged if there is nothing to undo. Throws FORBIDDEN, SERVICE_UNAVAILABLE without a provider,
 * SUBSCRIPTION_STATE without a subscription, UPSTREAM_UNAVAILABLE, in which case nothing changed here.
 */
export async function resumeSubscription(deps: Deps, by: Principal): Promise<Subscription> {
  assertMayManage(by);
  const following = withProvider(deps);
  const subscription = await deps.store.subscriptions.ofWorkspace(by.workspaceId);
  assertLive(subscription);
  if (!subscription.cancelAtPeriodEnd && subscription.pendingPlan === null) return subscription;
  const asked = await deps.store.subscriptions.ask(subscription._id, { by, at: deps.now() });
  await following.provider.resume(subscription.providerId);
  const after = await followProvider(following, asked);
  // It may have ended at the provider a moment before.
  assertLive(after);
  return after;
}
