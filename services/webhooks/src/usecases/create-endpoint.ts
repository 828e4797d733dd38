import { newId, type Principal } from '@tautan/kit';
import { assertMayManage, checkEvents, checkUrl, type Endpoint } from '../domain/endpoint.js';
import { newSecret, sealSecret } from '../domain/secrets.js';
import type { Deps } from './deps.js';

/**
 * Creates an endpoint and emits `webhook_endpoint.created`. The secret is shown this once. Throws FORBIDDEN; VALIDATION_ERROR
 * naming `url` or `events`; ENDPOINT_EXISTS naming `url`, also where the limit is reached, so that the repetition of a
 * creation learns that its endpoint exists; PLAN_LIMIT_EXCEEDED naming `webhookEndpoints`; SERVICE_UNAVAILABLE when `signal`
 * is aborted before the creation starts.
 */
export async function createEndpoint(
  {
    sealing,
    guard,
    insertions,
    endpointChanged,
    now,
  }: Pick<Deps, 'sealing' | 'guard' | 'insertions' | 'endpointChanged' | 'now'>,
  by: Principal,
  input: { url: string; events: readonly string[] },
  signal?: AbortSignal,
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
  await insertions.run({ endpoint, by }, signal);
  endpointChanged({ workspaceId: by.workspaceId, endpointId: _id });
  return { endpoint, secret };
}
