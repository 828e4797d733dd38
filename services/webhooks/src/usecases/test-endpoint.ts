import { idForOperation, type Principal } from '@tautan/kit';
import { deliveryIdOf, deliveryOf, type Delivery } from '../domain/delivery.js';
import { assertActive, assertMayManage, endpointView } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';
import { findEndpoint } from '../steps/find-endpoint.js';

/**
 * Queues a `webhook.test` event for one endpoint, regardless of the types that it subscribes to, and returns the
 * delivery. Repeating a call with the same operation id returns the delivery that the first call created. Throws
 * FORBIDDEN, NOT_FOUND, ENDPOINT_DISABLED.
 */
export async function testEndpoint(
  deps: Deps,
  by: Principal,
  { id, operationId }: { id: string; operationId?: string | undefined },
): Promise<Delivery> {
  assertMayManage(by);
  const { store, transact, wake, now } = deps;
  const eventId = idForOperation('evt', operationId);
  const delivery = await transact(by, async (tx) => {
    const endpoint = await findEndpoint(deps, by.workspaceId, id, tx.session);
    const earlier =
      operationId === undefined ? null : await store.deliveries.byId(deliveryIdOf(eventId, id), tx.session);
    if (earlier) return earlier;
    assertActive(endpoint);
    const target = { type: 'webhook_endpoint', id, label: endpoint.url };
    const event = tx.emit({ id: eventId, type: 'webhook.test', target, data: endpointView(endpoint) });
    const created = deliveryOf({ ...event, traceparent: by.traceparent }, endpoint, now());
    await store.deliveries.insertNew([created], tx.session);
    await store.queues.markDue([id], now(), tx.session);
    return created;
  });
  wake([id]);
  return delivery;
}
