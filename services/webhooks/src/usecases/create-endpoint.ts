import { fail, newId, type Principal } from '@tautan/kit';
import { isDuplicateKey } from '@tautan/kit/mongo';
import { assertMayManage, checkEvents, checkUrl, endpointView, type Endpoint } from '../domain/endpoint.js';
import { newSecret, sealSecret } from '../domain/secrets.js';
import type { Deps } from './deps.js';

/**
 * Registers an endpoint and tells `webhook_endpoint.created`. The secret is shown this once. Throws FORBIDDEN,
 * VALIDATION_ERROR naming `url` or `events`, ENDPOINT_EXISTS naming `url`.
 */
export async function createEndpoint(
  { store, transact, sealing, guard, endpointChanged, now }: Deps,
  by: Principal,
  input: { url: string; events: readonly string[] },
): Promise<{ endpoint: Endpoint; secret: string }> {
  assertMayManage(by);
  const url = checkUrl(input.url, guard);
  const events = checkEvents(input.events);
  const [_id, secret, at] = [newId('whe'), newSecret(), now()];
  const endpoint: Endpoint = {
    _id,
    workspaceId: by.workspaceId,
    url,
    events,
    active: true,
    disabledReason: null,
    secrets: [sealSecret(sealing, _id, secret)],
    createdAt: at,
    updatedAt: at,
  };
  await transact(by, async (tx) => {
    await store.endpoints.insert(endpoint, tx.session);
    await store.queues.insert(_id, tx.session);
    const target = { type: 'webhook_endpoint', id: _id, label: url };
    tx.emit({ type: 'webhook_endpoint.created', target, data: endpointView(endpoint) });
  }).catch(refuseDuplicate);
  endpointChanged({ workspaceId: by.workspaceId, endpointId: _id });
  return { endpoint, secret };
}

/** Turns a duplicate key of an endpoint into ENDPOINT_EXISTS, and throws every other error on. */
export function refuseDuplicate(error: unknown): never {
  if (isDuplicateKey(error)) throw fail('ENDPOINT_EXISTS', 'The workspace has an endpoint of this URL.', 'url');
  throw error;
}
