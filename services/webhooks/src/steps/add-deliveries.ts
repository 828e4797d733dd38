import { deliveryOf } from '../domain/delivery.js';
import type { WebhookEvent } from '../domain/event-types.js';
import type { Deps } from '../usecase-deps.js';

/** An event and the endpoints that receive it. */
export interface AddressedEvent {
  event: WebhookEvent;
  endpointIds: string[];
}

type AddDeps = Pick<Deps, 'store' | 'wake' | 'now'>;

/** Queues events for endpoints. Idempotent per event and endpoint. Resolves once the deliveries are durable. */
export async function addDeliveries({ store, wake, now }: AddDeps, addressed: AddressedEvent[]): Promise<void> {
  const at = now();
  const created = addressed.flatMap(({ event, endpointIds }) =>
    endpointIds.map((_id) => deliveryOf(event, { _id }, at)),
  );
  if (created.length === 0) return;
  await store.deliveries.insertNew(created);
  const endpointIds = [...new Set(created.map(({ endpointId }) => endpointId))];
  // Mark the queues after the insertion, so that a woken replica finds the deliveries. After a crash in between, the
  // bus redelivers the unacknowledged messages, and both steps are repeated.
  if ((await store.queues.markDue(endpointIds, at)) < endpointIds.length) {
    // Endpoints without a queue were deleted in the meantime.
    const existing = await store.queues.existing(endpointIds);
    await store.deliveries.abandon(
      endpointIds.filter((id) => !existing.has(id)),
      at,
    );
  }
  wake(endpointIds);
}
