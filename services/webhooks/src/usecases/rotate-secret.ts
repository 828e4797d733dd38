import type { Principal } from '@tautan/kit';
import { assertMayManage, endpointView } from '../domain/endpoint.js';
import { newSecret, openSecret, rotated, sealSecret } from '../domain/secrets.js';
import type { EndpointWithSecret } from './create-endpoint.js';
import type { Deps } from './deps.js';
import { findEndpoint } from './find-endpoint.js';

/** The audit log shows that the secret changed, and never what it is. */
const HIDDEN = { before: '(hidden)', after: '(hidden)' };

/**
 * Makes a new secret, shown this once, and tells `webhook_endpoint.updated`. The one before signs as well for 24 hours. A
 * repetition under the same operation id returns the secret that the first attempt made. Throws FORBIDDEN, NOT_FOUND.
 */
export async function rotateSecret(
  deps: Deps,
  by: Principal,
  { id, operationId = null }: { id: string; operationId?: string | null | undefined },
): Promise<EndpointWithSecret> {
  assertMayManage(by);
  const { store, transact, sealing, endpointChanged, now } = deps;
  const secret = newSecret();
  const rotation = await transact(by, async (tx) => {
    const before = await findEndpoint(deps, by.workspaceId, id, tx.session);
    const earlier = operationId === null ? undefined : before.secrets.find((each) => each.operationId === operationId);
    const earlierSecret = earlier && openSecret(sealing, id, earlier);
    if (earlierSecret !== undefined) return { endpoint: before, secret: earlierSecret };
    const added = { ...sealSecret(sealing, id, secret), operationId };
    // One whose key is lost would keep all deliveries from being signed until it expires.
    const readable = before.secrets.filter((each) => openSecret(sealing, id, each) !== undefined);
    const set = { secrets: rotated(readable, added, now()), updatedAt: now() };
    await store.endpoints.update(id, set, tx.session);
    const after = { ...before, ...set };
    const target = { type: 'webhook_endpoint', id, label: after.url };
    tx.emit({ type: 'webhook_endpoint.updated', target, data: endpointView(after), changes: { secret: HIDDEN } });
    return { endpoint: after, secret };
  });
  endpointChanged({ workspaceId: by.workspaceId, endpointId: id });
  return rotation;
}
