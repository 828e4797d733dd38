import { assertLive, type Subscription } from '../domain/subscription.js';
import type { SyncDeps } from '../usecase-deps.js';
import { syncSubscription } from './sync-subscription.js';

/**
 * Syncs a live subscription with the provider if its stored state is already the requested one (`isDone`): a change at
 * the provider whose webhook has not arrived may have undone that state. Otherwise returns the subscription unchanged.
 * Throws SUBSCRIPTION_STATE if the subscription has ended at the provider, and the errors of `syncSubscription`.
 */
export async function syncIf(
  deps: SyncDeps,
  subscription: Subscription & { providerId: string },
  isDone: (subscription: Subscription) => boolean,
): Promise<Subscription & { providerId: string }> {
  if (!isDone(subscription)) return subscription;
  const after = await syncSubscription(deps, subscription);
  assertLive(after);
  return after;
}
