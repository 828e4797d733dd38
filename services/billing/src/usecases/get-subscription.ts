import type { Principal } from '@tautan/kit';
import { noStanding, subscriptionId, type Standing } from '../domain/subscription.js';
import type { Deps } from './deps.js';

/** The subscription of the principal's workspace; of status none where it never had one. */
export async function getSubscription(
  { store }: Pick<Deps, 'store'>,
  { workspaceId }: Principal,
): Promise<Standing & { _id: string }> {
  const found = await store.subscriptions.ofWorkspace(workspaceId);
  return found ?? { ...noStanding, _id: subscriptionId(workspaceId) };
}
