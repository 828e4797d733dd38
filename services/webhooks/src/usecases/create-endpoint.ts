import { idForOperation, type Principal } from '@tautan/kit';
import type { CallDeps } from '@tautan/kit/rpc';
import { assertMayManage, checkEvents, checkUrl, type Endpoint } from '../domain/endpoint.js';
import { newSecret, openSecrets, sealSecret } from '../domain/secrets.js';
import type { Deps } from '../usecase-deps.js';

type CreateDeps = Pick<Deps, 'store' | 'sealing' | 'guard' | 'ports' | 'insertions' | 'endpointChanged' | 'now'> &
  Pick<CallDeps, 'signal'>;

export interface EndpointWithSecret {
  endpoint: Endpoint;
  secret: string;
}

interface Input {
  url: string;
  events: readonly string[];
  /** ULID. Repeating it returns the endpoint that the first attempt created, and its current secret. */
  operationId?: string | undefined;
}

/**
 * Creates an endpoint and emits `webhook_endpoint.created`. The secret is returned only by this call and by repetitions
 * with the same `operationId`. Throws FORBIDDEN; VALIDATION_ERROR naming `url` or `events`; ENDPOINT_EXISTS naming
 * `url`, even if the plan's limit is reached, so that a retried creation learns that its endpoint exists;
 * PLAN_LIMIT_EXCEEDED naming `webhookEndpoints`; SERVICE_UNAVAILABLE if `deps.signal` is aborted before the creation
 * starts.
 */
export async function createEndpoint(deps: CreateDeps, by: Principal, input: Input): Promise<EndpointWithSecret> {
  assertMayManage(by);
  const { sealing, insertions, endpointChanged, now } = deps;
  const url = checkUrl(input.url, deps);
  const events = checkEvents(input.events);
  const [_id, secret, at] = [idForOperation('whe', input.operationId), newSecret(), now()];
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
  try {
    await insertions.run({ endpoint, by }, deps.signal);
  } catch (error) {
    const earlier = input.operationId === undefined ? undefined : await earlierEndpoint(deps, by, _id);
    if (earlier) return earlier;
    throw error;
  }
  endpointChanged({ workspaceId: by.workspaceId, endpointId: _id });
  return { endpoint, secret };
}

/** Returns the result of an earlier attempt of the same operation. */
async function earlierEndpoint(
  { store, sealing, now }: CreateDeps,
  { workspaceId }: Principal,
  id: string,
): Promise<EndpointWithSecret | undefined> {
  const endpoint = await store.endpoints.byId(id);
  if (endpoint?.workspaceId !== workspaceId) return undefined;
  const [secret] = openSecrets(sealing, endpoint, now()) ?? [];
  return secret === undefined ? undefined : { endpoint, secret };
}
