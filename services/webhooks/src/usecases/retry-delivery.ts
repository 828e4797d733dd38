import { fail, type Principal } from '@tautan/kit';
import type { Delivery } from '../domain/delivery.js';
import { assertMayManage } from '../domain/endpoint.js';
import type { Deps } from './deps.js';
import { getDelivery } from './get-delivery.js';

/**
 * Makes a delivery that has ended pending, for one more attempt at once. Of any number of concurrent calls one succeeds.
 * Throws FORBIDDEN, NOT_FOUND, ALREADY_QUEUED while it is pending, ENDPOINT_DISABLED while its endpoint is off or no more.
 */
export async function retryDelivery(deps: Deps, by: Principal, id: string): Promise<Delivery> {
  assertMayManage(by);
  const { store, transact, wake, now } = deps;
  // Told without a transaction, so that a crowd does not contend for what cannot succeed.
  const { endpointId, status } = await getDelivery(deps, by, id);
  if (!(await store.endpoints.byId(endpointId))?.active) throw disabled();
  if (status === 'pending') throw queued();
  const delivery = await transact(by, async (tx) => {
    const endpoint = await store.endpoints.byId(endpointId, tx.session);
    if (!endpoint?.active) throw disabled();
    if (!(await store.deliveries.reopen(id, now(), tx.session))) throw queued();
    await store.queues.kick([endpointId], now(), tx.session);
    return getDelivery(deps, by, id, tx.session);
  });
  wake([endpointId]);
  return delivery;
}

const queued = (): Error => fail('ALREADY_QUEUED', 'The delivery is already waiting for an attempt.');
const disabled = (): Error => fail('ENDPOINT_DISABLED', 'The endpoint is off; resume it first.');
