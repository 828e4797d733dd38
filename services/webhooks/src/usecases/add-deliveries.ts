import { deliveryOf } from '../domain/delivery.js';
import type { WebhookEvent } from '../domain/event-types.js';
import type { Deps } from './deps.js';

/** An event and who is to receive it. */
export interface Addressed {
  event: WebhookEvent;
  endpointIds: string[];
}

type AddDeps = Pick<Deps, 'store' | 'wake' | 'now'>;

/** Queues events for endpoints, each once however often it is added. Resolves when that is durable. */
export async function addDeliveries({ store, wake, now }: AddDeps, addressed: Addressed[]): Promise<void> {
  const at = now();
  const made = addressed.flatMap(({ event, endpointIds }) => endpointIds.map((_id) => deliveryOf(event, { _id }, at)));
  if (made.length === 0) return;
  await store.deliveries.insertNew(made);
  const endpointIds = [...new Set(made.map(({ endpointId }) => endpointId))];
  // After the insertion: whoever is woken finds the deliveries, and whoever dies in between does both again.
  if ((await store.queues.kick(endpointIds, at)) < endpointIds.length) {
    const existing = await store.queues.existing(endpointIds);
    await store.deliveries.abandon(endpointIds.filter((id) => !existing.has(id)), at); // prettier-ignore
  }
  wake(endpointIds);
}
