import { fail } from '@tautan/kit';
import type { EndpointMessage } from '@tautan/proto';
import { z } from 'zod';
import { deliveryRoutes } from './deliveries.js';
import { deliveryExample, deliveryRecord, deliveryView } from './delivery-schemas.js';
import { listEventTypes } from './event-types.js';
import { deleted } from './fields.js';
import { route, type Reply, type Route } from './route.js';
import {
  ENDPOINT_ID,
  endpointChange,
  endpointExample,
  endpointParams as params,
  endpointRecord,
  endpointView,
  endpointWithSecret,
  newEndpoint,
  secretExample,
} from './webhook-schemas.js';

const section = 'Webhooks';
const path = '/api/v1/webhooks';

function withSecret({ endpoint, secret }: { endpoint: EndpointMessage | null; secret: string }): Reply {
  if (!endpoint) throw fail('INTERNAL_ERROR', 'A secret came without its endpoint.');
  return { data: { ...endpointView(endpoint), secret } };
}

const endpoints: Route[] = [
  route({
    id: 'listWebhooks',
    method: 'GET',
    path,
    section,
    summary: 'List webhook endpoints',
    description: 'All endpoints of the workspace, newest first, without their secrets; not paged.',
    request: {},
    success: {
      status: 200,
      description: 'All endpoints.',
      data: z.array(endpointRecord),
      example: [endpointExample],
      paged: 'whole',
    },
    errors: [],
    handle: async (_request, { clients, rpc }) => {
      const { endpoints } = await clients.webhooks.call('ListEndpoints', {}, rpc());
      return { data: endpoints.map(endpointView) };
    },
  }),
  route({
    id: 'createWebhook',
    method: 'POST',
    path,
    section,
    summary: 'Create a webhook endpoint',
    secret: true,
    description:
      'The signing secret is shown this once, and again to a repetition under the same `Idempotency-Key`. The same URL a second time is `ENDPOINT_EXISTS`.',
    request: {
      body: newEndpoint,
      bodyExample: { url: 'https://example.com/hooks/tautan', events: ['link.created', 'link.clicked'] },
    },
    success: {
      status: 201,
      description: 'The endpoint and its secret.',
      data: endpointWithSecret,
      example: secretExample,
    },
    errors: ['ENDPOINT_EXISTS', 'PLAN_LIMIT_EXCEEDED'],
    handle: async ({ body }, { clients, rpc, operation }) =>
      withSecret(await clients.webhooks.call('CreateEndpoint', { ...body, ...operation }, rpc())),
  }),
];

const endpoint: Route[] = [
  route({
    id: 'updateWebhook',
    method: 'PATCH',
    path: `${path}/{id}`,
    section,
    summary: 'Update a webhook endpoint',
    description: 'Pauses or resumes it, or changes its URL or events. Its secret stays.',
    request: { params, body: endpointChange, bodyExample: { active: false } },
    success: { status: 200, description: 'The endpoint.', data: endpointRecord, example: endpointExample },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'ENDPOINT_EXISTS'],
    handle: async ({ params: { id }, body: { events, ...change } }, { clients, rpc }) => {
      const request = { id, ...change, ...(events && { events: { types: events } }) };
      return { data: endpointView(await clients.webhooks.call('UpdateEndpoint', request, rpc())) };
    },
  }),
  route({
    id: 'deleteWebhook',
    method: 'DELETE',
    path: `${path}/{id}`,
    section,
    summary: 'Delete a webhook endpoint',
    description: 'What was still to be sent to it has failed.',
    request: { params },
    success: {
      status: 200,
      description: 'It is gone.',
      data: deleted('whe'),
      example: { id: ENDPOINT_ID, deleted: true },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc }) => {
      await clients.webhooks.call('DeleteEndpoint', { id }, rpc());
      return { data: { id, deleted: true } };
    },
  }),
  route({
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: `${path}/{id}/rotate-secret`,
    section,
    summary: 'Rotate the secret of a webhook endpoint',
    secret: true,
    description:
      'Creates a new secret, shown this once, and again to a repetition under the same `Idempotency-Key`. For 24 hours the one before signs as well.',
    request: { params },
    success: {
      status: 200,
      description: 'The endpoint and its new secret.',
      data: endpointWithSecret,
      example: secretExample,
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc, operation }) =>
      withSecret(await clients.webhooks.call('RotateSecret', { id, ...operation }, rpc())),
  }),
  route({
    id: 'testWebhook',
    method: 'POST',
    path: `${path}/{id}/test`,
    section,
    summary: 'Send a test to a webhook endpoint',
    description:
      'Sends a `webhook.test`, whatever the endpoint subscribes to. Read the delivery to see what came of it.',
    request: { params },
    success: {
      status: 200,
      description: 'The delivery, pending.',
      data: deliveryRecord,
      example: {
        ...deliveryExample,
        type: 'webhook.test',
        status: 'pending',
        attempts: 0,
        nextRetryAt: '2030-01-31T12:00:00.000Z',
        attemptLog: [],
        completedAt: null,
      },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'ENDPOINT_DISABLED'],
    handle: async ({ params: { id } }, { clients, rpc, operation }) => ({
      data: deliveryView(await clients.webhooks.call('TestEndpoint', { id, ...operation }, rpc())),
    }),
  }),
];

/** Literal paths come before those with a parameter. */
export const webhookRoutes: Route[] = [...endpoints, ...deliveryRoutes, listEventTypes, ...endpoint];
