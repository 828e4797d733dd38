import { fail, type Principal } from '@tautan/kit';
import type { Delivery } from '../domain/delivery.js';
import { assertActive, assertMayManage } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';
import { findDelivery } from '../steps/find-delivery.js';

/**
 * Makes a succeeded or failed delivery pending for one immediate attempt, and emits `delivery.retried`. Exactly one of
 * several concurrent calls succeeds. With the operation id of the last retry, returns the delivery without another
 * attempt. Throws FORBIDDEN; NOT_FOUND; ALREADY_QUEUED while the delivery is pending; ENDPOINT_DISABLED if its
 * endpoint is disabled or deleted.
 */
export async function retryDelivery(
  deps: Deps,
  by: Principal,
  { id, operationId = null }: { id: string; operationId?: string | null | undefined },
): Promise<Delivery> {
  assertMayManage(by);
  const found = await findDelivery(deps, by, id);
  if (operationId !== null && found.retryOperationId === operationId) return found;
  const { endpointId, status } = found;
  assertActive(await deps.store.endpoints.byId(endpointId));
  if (status === 'pending') throw alreadyQueued();
  // Run one retry of a delivery at a time, because concurrent transactions would abort each other. Once one succeeds,
  // the others are rejected.
  for (let other = deps.retries.get(id); other; other = deps.retries.get(id)) {
    if (
      await other.then(
        () => true,
        () => false,
      )
    )
      throw alreadyQueued();
  }
  const retry = reopen(deps, by, { id, endpointId, operationId });
  deps.retries.set(id, retry);
  try {
    return await retry;
  } finally {
    deps.retries.delete(id);
  }
}

interface Retry {
  id: string;
  endpointId: string;
  operationId: string | null;
}

async function reopen(deps: Deps, by: Principal, { id, endpointId, operationId }: Retry): Promise<Delivery> {
  const { store, transact, wake, now } = deps;
  const delivery = await transact(by, async (tx) => {
    assertActive(await store.endpoints.byId(endpointId, tx.session));
    const retry = { operationId, traceparent: by.traceparent };
    if (!(await store.deliveries.reopen({ id, endpointId }, retry, now(), tx.session))) throw alreadyQueued();
    await store.queues.markDue([endpointId], now(), tx.session);
    const { eventId, type, ...delivery } = await findDelivery(deps, by, id, tx.session);
    const target = { type: 'delivery', id, label: type };
    tx.emit({ type: 'delivery.retried', target, data: { id, subscriptionId: endpointId, eventId, type } });
    return { ...delivery, eventId, type };
  });
  wake([endpointId]);
  return delivery;
}

const alreadyQueued = (): Error => fail('ALREADY_QUEUED', 'The delivery is already waiting for an attempt.');
