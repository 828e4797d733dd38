import type { Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import { assertMayManage, endpointView } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';
import { findEndpoint } from '../steps/find-endpoint.js';

/**
 * Deletes an endpoint and emits `webhook_endpoint.deleted`. Its deliveries stay readable; the worker of its queue marks
 * pending ones as failed. Throws FORBIDDEN or NOT_FOUND. Throws SERVICE_UNAVAILABLE if `deps.signal` is aborted before
 * the deletion starts.
 */
export async function deleteEndpoint(
  deps: Deps & Pick<CallDeps, 'signal'>,
  by: Principal,
  { id }: { id: string },
): Promise<void> {
  assertMayManage(by);
  const { endpointChanged, mutex, wake } = deps;
  const { workspaceId } = by;
  await mutex.run(workspaceId, () => remove(deps, by, id), deps.signal);
  endpointChanged({ workspaceId, endpointId: id });
  wake([id]);
}

const remove = (deps: Deps, by: Principal, id: string): Promise<void> =>
  deps.transact(by, async (tx) => {
    const { store, counters, now } = deps;
    const { workspaceId } = by;
    const endpoint = await findEndpoint(deps, workspaceId, id, tx.session);
    await store.endpoints.remove(id, tx.session);
    await counters.release(tx.session, { workspaceId, limit: 'webhookEndpoints', count: 1, at: now() });
    await store.queues.markDue([id], now(), tx.session);
    const target = { type: 'webhook_endpoint', id, label: endpoint.url };
    tx.emit({ type: 'webhook_endpoint.deleted', target, data: endpointView(endpoint) });
  });
