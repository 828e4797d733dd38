import { fail, type Principal } from '@tautan/kit';
import { deliveryOf, type Delivery } from '../domain/delivery.js';
import { assertMayManage, endpointView } from '../domain/endpoint.js';
import type { Deps } from './deps.js';
import { findEndpoint } from './find-endpoint.js';

/**
 * Sends a `webhook.test` to one endpoint, whatever it subscribes to; answers the delivery. Throws FORBIDDEN, NOT_FOUND,
 * ENDPOINT_DISABLED.
 */
export async function testEndpoint(deps: Deps, by: Principal, id: string): Promise<Delivery> {
  assertMayManage(by);
  const { store, transact, wake, now } = deps;
  const delivery = await transact(by, async (tx) => {
    const endpoint = await findEndpoint(deps, by.workspaceId, id, tx.session);
    if (!endpoint.active) throw fail('ENDPOINT_DISABLED', 'The endpoint is off; resume it first.');
    const target = { type: 'webhook_endpoint', id, label: endpoint.url };
    const event = tx.emit({ type: 'webhook.test', target, data: endpointView(endpoint) });
    const made = deliveryOf(event, endpoint, now());
    await store.deliveries.insertNew([made], tx.session);
    await store.queues.kick([id], now(), tx.session);
    return made;
  });
  wake([id]);
  return delivery;
}
