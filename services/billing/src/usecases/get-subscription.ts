import type { Principal } from '@tautan/kit';
import { noSubscription, subscriptionId, type SubscriptionState } from '../domain/subscription.js';
import type { Deps } from '../usecase-deps.js';

/**
 * Returns the subscription of the principal's workspace. For a workspace that never had a subscription, returns one
 * with the status `none`.
 */
export async function getSubscription(
  { store }: Pick<Deps, 'store'>,
  { workspaceId }: Principal,
): Promise<SubscriptionState & { _id: string }> {
  const found = await store.subscriptions.ofWorkspace(workspaceId);
  return found ?? { ...noSubscription, _id: subscriptionId(workspaceId) };
}
