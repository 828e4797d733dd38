import type { Principal } from '@tautan/kit';
import { assertMayManage, endpointView } from '../domain/endpoint.js';
import type { Deps } from './deps.js';
import { findEndpoint } from './find-endpoint.js';

/**
 * Removes an endpoint and tells `webhook_endpoint.deleted`. Its deliveries stay readable; a deliverer ends those that are
 * pending. Throws FORBIDDEN, NOT_FOUND.
 */
export async function deleteEndpoint(deps: Deps, by: Principal, id: string): Promise<void> {
  assertMayManage(by);
  const { store, transact, endpointChanged, wake, now } = deps;
  await transact(by, async (tx) => {
    const endpoint = await findEndpoint(deps, by.workspaceId, id, tx.session);
    await store.endpoints.remove(id, tx.session);
    await store.queues.kick([id], now(), tx.session);
    const target = { type: 'webhook_endpoint', id, label: endpoint.url };
    tx.emit({ type: 'webhook_endpoint.deleted', target, data: endpointView(endpoint) });
  });
  endpointChanged({ workspaceId: by.workspaceId, endpointId: id });
  wake([id]);
}
