import { fail } from '@tautan/kit';
import {
  deletedOf,
  deletedRecord,
  deliveryExample,
  deliveryRecord,
  ENDPOINT_ID,
  webhookEndpointExample,
  webhookEndpointRecord,
  webhookEndpointWithSecretExample,
  webhookEndpointWithSecretRecord,
  type EndpointMessage,
  type WebhookEndpointRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { deliveryRoutes } from './deliveries.js';
import { deliveryView } from './delivery-view.js';
import { listEventTypes } from './event-types.js';
import { route, type Reply, type Route } from './route.js';
import { endpointChange, endpointParams as params, newEndpoint } from './webhook-schemas.js';
import { wireFields } from './wire-fields.js';

const section = 'Webhooks';
const path = '/api/v1/webhooks';

const endpointView: (endpoint: EndpointMessage) => WebhookEndpointRecord = wireFields(webhookEndpointRecord);

function withSecret({ endpoint, secret }: { endpoint: EndpointMessage | null; secret: string }): Reply {
  if (!endpoint) throw fail('INTERNAL_ERROR', 'The webhooks service sent a secret without its endpoint.');
  return { data: { ...endpointView(endpoint), secret } };
}

const collectionRoutes: Route[] = [
  route({
    id: 'listWebhooks',
    method: 'GET',
    path,
    section,
    summary: 'List webhook endpoints',
    description: 'Returns all endpoints of the workspace, newest first, without their secrets and without pagination.',
    request: {},
    success: {
      status: 200,
      description: 'All endpoints.',
      data: z.array(webhookEndpointRecord),
      example: [webhookEndpointExample],
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
      'The signing secret is returned only once; a retry with the same `Idempotency-Key` returns it again. If an endpoint with this URL exists, the response is `ENDPOINT_EXISTS`.',
    request: {
      body: newEndpoint,
      bodyExample: { url: 'https://example.com/hooks/tautan', events: ['link.created', 'link.clicked'] },
    },
    success: {
      status: 201,
      description: 'The endpoint and its secret.',
      data: webhookEndpointWithSecretRecord,
      example: webhookEndpointWithSecretExample,
    },
    errors: ['ENDPOINT_EXISTS', 'PLAN_LIMIT_EXCEEDED'],
    handle: async ({ body }, { clients, rpc, operation }) =>
      withSecret(await clients.webhooks.call('CreateEndpoint', { ...body, ...operation }, rpc())),
  }),
];

const endpointRoutes: Route[] = [
  route({
    id: 'updateWebhook',
    method: 'PATCH',
    path: `${path}/{id}`,
    section,
    summary: 'Update a webhook endpoint',
    description: 'Pauses or resumes the endpoint, or changes its URL or events. Its secret does not change.',
    request: { params, body: endpointChange, bodyExample: { active: false } },
    success: {
      status: 200,
      description: 'The endpoint.',
      data: webhookEndpointRecord,
      example: webhookEndpointExample,
    },
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
    description: 'Pending deliveries to the endpoint fail.',
    request: { params },
    success: {
      status: 200,
      description: 'The endpoint was deleted.',
      data: deletedRecord('whe'),
      example: deletedOf(ENDPOINT_ID),
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc }) => {
      await clients.webhooks.call('DeleteEndpoint', { id }, rpc());
      return { data: deletedOf(id) };
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
      'Creates a new secret. It is returned only once; a retry with the same `Idempotency-Key` returns it again. For 24 hours, events are also signed with the previous secret.',
    request: { params },
    success: {
      status: 200,
      description: 'The endpoint and its new secret.',
      data: webhookEndpointWithSecretRecord,
      example: webhookEndpointWithSecretExample,
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
    summary: 'Test a webhook endpoint',
    description:
      'Sends a `webhook.test` event, whatever the event types of the endpoint. Get the delivery to see the result.',
    request: { params },
    success: {
      status: 200,
      description: 'The pending delivery.',
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

/** Literal paths come before paths with a parameter. */
export const webhookRoutes: Route[] = [...collectionRoutes, ...deliveryRoutes, listEventTypes, ...endpointRoutes];
