import { withOutageMessage } from '@tautan/kit/mongo';
import { assertLive, concurrentChange, type Subscription } from '../domain/subscription.js';
import type { SyncDeps } from '../usecase-deps.js';
import { syncSubscription } from './sync-subscription.js';

/**
 * Updates a subscription after the provider has accepted a requested change. Throws SUBSCRIPTION_STATE if it has ended
 * at the provider in the meantime, SERVICE_UNAVAILABLE if `isDone` does not hold for it, because a concurrent change
 * has undone the requested one, and the errors of `syncSubscription`. If the subscription cannot be written, the
 * message of the error says that the change will be applied later, which happens when its webhook is handled.
 */
export async function syncAccepted(
  deps: SyncDeps,
  requested: Subscription,
  isDone: (subscription: Subscription) => boolean,
): Promise<Subscription & { providerId: string }> {
  const after = await syncSubscription(deps, requested).catch((error: unknown) => {
    const message = 'The payment provider has received the change. It will be applied here as soon as possible.';
    throw withOutageMessage(error, message);
  });
  assertLive(after);
  if (!isDone(after)) throw concurrentChange();
  return after;
}
