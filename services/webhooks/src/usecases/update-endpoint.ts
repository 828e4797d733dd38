import { changesBetween, type Principal } from '@tautan/kit';
import { isDuplicateKey } from '@tautan/kit/mongo';
import { assertMayManage, checkEvents, checkUrl, endpointView, type Endpoint } from '../domain/endpoint.js';
import type { Deps } from '../usecase-deps.js';
import { findEndpoint } from '../steps/find-endpoint.js';
import { endpointExists } from '../steps/insert-endpoints.js';

/** Changes to an endpoint. Undefined fields stay unchanged. */
export interface EndpointPatch {
  id: string;
  url?: string | undefined;
  events?: readonly string[] | undefined;
  active?: boolean | undefined;
}

/**
 * Pauses or resumes an endpoint, or changes its URL or events. Emits `webhook_endpoint.resumed` if it was resumed, else
 * `webhook_endpoint.updated`. Resuming an endpoint, or changing the URL of an active one, ends its current series of
 * failures and makes its pending deliveries due. Writes and emits nothing if nothing changes. Throws FORBIDDEN,
 * NOT_FOUND, VALIDATION_ERROR naming the field, ENDPOINT_EXISTS naming `url`.
 */
export async function updateEndpoint(deps: Deps, by: Principal, { id, ...patch }: EndpointPatch): Promise<Endpoint> {
  assertMayManage(by);
  const { store, transact, endpointChanged, wake, now } = deps;
  const wanted = {
    ...(patch.url !== undefined && { url: checkUrl(patch.url, deps) }),
    ...(patch.events !== undefined && { events: checkEvents(patch.events) }),
    ...(patch.active !== undefined && { active: patch.active }),
    ...(patch.active === true && { disabledReason: null }),
  };
  const { endpoint, changed } = await transact(by, async (tx) => {
    const before = await findEndpoint(deps, by.workspaceId, id, tx.session);
    const after = { ...before, ...wanted, updatedAt: now() };
    const changes = changesBetween(endpointView(before), endpointView(after));
    if (Object.keys(changes).length === 0) return { endpoint: before, changed: false };
    await store.endpoints.update(id, { ...wanted, updatedAt: after.updatedAt }, tx.session);
    if (after.active && ('active' in changes || 'url' in changes)) await store.queues.restart(id, now(), tx.session);
    const target = { type: 'webhook_endpoint', id, label: after.url };
    const type = after.active && !before.active ? 'webhook_endpoint.resumed' : 'webhook_endpoint.updated';
    tx.emit({ type, target, data: endpointView(after), changes });
    return { endpoint: after, changed: true };
  }).catch((error: unknown) => {
    throw isDuplicateKey(error) ? endpointExists() : error;
  });
  if (changed) {
    endpointChanged({ workspaceId: by.workspaceId, endpointId: id });
    wake([id]);
  }
  return endpoint;
}
