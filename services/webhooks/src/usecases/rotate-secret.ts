import type { Principal } from '@tautan/kit';
import { assertMayManage, endpointView, type Endpoint } from '../domain/endpoint.js';
import { newSecret, rotated, sealSecret } from '../domain/secrets.js';
import type { Deps } from './deps.js';
import { findEndpoint } from './find-endpoint.js';

/** The audit log shows that the secret changed, and never what it is. */
const HIDDEN = { before: '(hidden)', after: '(hidden)' };

/**
 * Makes a new secret, shown this once, and tells `webhook_endpoint.updated`. The one before signs as well for 24 hours.
 * Throws FORBIDDEN, NOT_FOUND.
 */
export async function rotateSecret(
  deps: Deps,
  by: Principal,
  id: string,
): Promise<{ endpoint: Endpoint; secret: string }> {
  assertMayManage(by);
  const { store, transact, sealing, endpointChanged, now } = deps;
  const secret = newSecret();
  const endpoint = await transact(by, async (tx) => {
    const before = await findEndpoint(deps, by.workspaceId, id, tx.session);
    const set = { secrets: rotated(before.secrets, sealSecret(sealing, id, secret), now()), updatedAt: now() };
    await store.endpoints.update(id, set, tx.session);
    const after = { ...before, ...set };
    const target = { type: 'webhook_endpoint', id, label: after.url };
    tx.emit({ type: 'webhook_endpoint.updated', target, data: endpointView(after), changes: { secret: HIDDEN } });
    return after;
  });
  endpointChanged({ workspaceId: by.workspaceId, endpointId: id });
  return { endpoint, secret };
}
