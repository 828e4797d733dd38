import { withOutageMessage } from '@tautan/kit/mongo';
import { assertLive, concurrentChange, type Subscription } from '../domain/subscription.js';
import type { SyncDeps } from '../usecase-deps.js';
import { syncSubscription } from './sync-subscription.js';

/**
 * Updates a subscription after the provider has accepted a requested change. Throws SUBSCRIPTION_STATE if the
 * subscription has ended at the provider in the meantime, and SERVICE_UNAVAILABLE if `isDone` returns false because a
 * concurrent change has undone the requested one. Also throws the errors of `syncSubscription`. If the subscription
 * cannot be written, the error message says that the change will be applied later: the service applies it when it
 * handles the provider's webhook about the change.
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
