import type { Principal } from '@tautan/kit';
import { assertLive, assertMayManage, type Subscription } from '../domain/subscription.js';
import { withProvider, type Deps } from './deps.js';
import { followProvider } from './follow-provider.js';

/**
 * Lets the subscription end with its period, at the provider and then here, and tells `subscription.updated`. To cancel
 * again changes nothing. Throws FORBIDDEN, SUBSCRIPTION_STATE without a subscription, UPSTREAM_UNAVAILABLE: then nothing
 * changed here.
 */
export async function cancelSubscription(deps: Deps, by: Principal): Promise<Subscription> {
  assertMayManage(by);
  const subscription = await deps.store.subscriptions.ofWorkspace(by.workspaceId);
  assertLive(subscription);
  if (subscription.cancelAtPeriodEnd) return subscription;
  const following = withProvider(deps);
  const asked = await deps.store.subscriptions.ask(subscription._id, { by, at: deps.now() });
  await following.provider.cancelAtPeriodEnd(subscription.providerId);
  const after = await followProvider(following, asked);
  // It may have ended at the provider a moment before.
  assertLive(after);
  return after;
}
