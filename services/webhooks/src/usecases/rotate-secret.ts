import type { Principal } from '@tautan/kit';
import { assertMayManage, endpointView } from '../domain/endpoint.js';
import { newSecret, openSecret, rotated, sealSecret } from '../domain/secrets.js';
import type { EndpointWithSecret } from './create-endpoint.js';
import type { Deps } from '../usecase-deps.js';
import { findEndpoint } from '../steps/find-endpoint.js';

/** The audit log records that the secret changed, but not its value. */
const HIDDEN = { before: '(hidden)', after: '(hidden)' };

/**
 * Creates and returns a new secret, and emits `webhook_endpoint.updated`. For 24 hours, deliveries are also signed with
 * the previous secret. A repeated operation id returns the secret that the first attempt created. Throws FORBIDDEN,
 * NOT_FOUND.
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
    // A secret that cannot be decrypted would block all deliveries until it expires.
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
