import { forCall, rpcTable, withCall, type RpcTable } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto/rpc';
import type { Attempt, Delivery, DeliverySummary } from './domain/delivery.js';
import { endpointView, type Endpoint } from './domain/endpoint.js';
import { eventTypes } from './domain/event-types.js';
import { createEndpoint } from './usecases/create-endpoint.js';
import { deleteEndpoint } from './usecases/delete-endpoint.js';
import type { Deps } from './usecase-deps.js';
import { getDelivery } from './usecases/get-delivery.js';
import { listDeliveries } from './usecases/list-deliveries.js';
import { listEndpoints } from './usecases/list-endpoints.js';
import { retryDelivery } from './usecases/retry-delivery.js';
import { rotateSecret } from './usecases/rotate-secret.js';
import { testEndpoint } from './usecases/test-endpoint.js';
import { updateEndpoint } from './usecases/update-endpoint.js';

/** Returns the RPC tables of this service. */
export const rpcTables = (deps: Deps): RpcTable[] => [
  rpcTable(rpcServices.webhooks, {
    CreateEndpoint: async (call, input) => {
      const { endpoint, secret } = await createEndpoint(withCall(deps, call), call.principal(), input);
      return { endpoint: endpointMessage(endpoint), secret };
    },
    ListEndpoints: async (call) => ({
      endpoints: (await listEndpoints(deps, call.principal())).map(endpointMessage),
    }),
    UpdateEndpoint: async (call, { id, url, events, active }) =>
      endpointMessage(
        await updateEndpoint(forCall(deps, call), call.principal(), { id, url, events: events?.types, active }),
      ),
    DeleteEndpoint: async (call, request) => {
      await deleteEndpoint(withCall(deps, call), call.principal(), request);
      return { id: request.id };
    },
    RotateSecret: async (call, input) => {
      const { endpoint, secret } = await rotateSecret(forCall(deps, call), call.principal(), input);
      return { endpoint: endpointMessage(endpoint), secret };
    },
    TestEndpoint: async (call, input) =>
      deliveryMessage(await testEndpoint(forCall(deps, call), call.principal(), input)),
    ListDeliveries: async (call, query) => {
      const { deliveries, nextCursor } = await listDeliveries(deps, call.principal(), query);
      return { deliveries: deliveries.map(summaryMessage), nextCursor };
    },
    GetDelivery: async (call, request) => deliveryMessage(await getDelivery(deps, call.principal(), request)),
    RetryDelivery: async (call, input) =>
      deliveryMessage(await retryDelivery(forCall(deps, call), call.principal(), input)),
    ListEventTypes: async () => ({ eventTypes }),
  }),
  rpcTable(rpcServices.usage, {
    GetUsage: async (call) => ({ used: await deps.counters.read(call.principal().workspaceId, deps.now()) }),
  }),
];

/** Maps null in the API to an absent field in protobuf. */
const endpointMessage = (endpoint: Endpoint) => ({
  ...endpointView(endpoint),
  disabledReason: endpoint.disabledReason ?? undefined,
});

const summaryMessage = (delivery: DeliverySummary) => ({
  id: delivery._id,
  subscriptionId: delivery.endpointId,
  eventId: delivery.eventId,
  type: delivery.type,
  status: delivery.status,
  attempts: delivery.attempts,
  nextRetryAt: delivery.nextAttemptAt?.toISOString(),
  createdAt: delivery.createdAt.toISOString(),
  completedAt: delivery.completedAt?.toISOString(),
});

const deliveryMessage = (delivery: Delivery) => ({
  ...summaryMessage(delivery),
  body: delivery.body,
  attemptLog: delivery.attemptLog.map(attemptMessage),
});

const attemptMessage = ({ n, at, durationMs, statusCode, error, responseSnippet }: Attempt) => ({
  n,
  at: at.toISOString(),
  durationMs,
  statusCode: statusCode ?? undefined,
  error: error ?? undefined,
  responseSnippet: responseSnippet ?? undefined,
});
