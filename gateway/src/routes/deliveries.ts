import {
  DELIVERY_ID,
  deliveryExample,
  deliveryRecord,
  deliverySummaryExample,
  deliverySummaryRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { deliveryQuery } from './delivery-schemas.js';
import { deliveryView, deliverySummaryView } from './delivery-view.js';
import { pathId } from './fields.js';
import { cursorPage, route, type Route } from './route.js';

const section = 'Webhooks';
const path = '/api/v1/webhooks/deliveries';
const params = z.object({ id: pathId('Id of the delivery.', DELIVERY_ID) });

export const deliveryRoutes: Route[] = [
  route({
    id: 'listDeliveries',
    method: 'GET',
    path,
    section,
    summary: 'List deliveries',
    description: 'Returns deliveries, newest first, without `body` and `attemptLog`.',
    request: { query: deliveryQuery },
    success: {
      status: 200,
      description: 'A page of deliveries.',
      data: z.array(deliverySummaryRecord),
      example: [deliverySummaryExample],
      paged: 'cursor-in-meta',
    },
    errors: [],
    handle: async ({ query }, { clients, rpc }) => {
      const { deliveries, nextCursor } = await clients.webhooks.call('ListDeliveries', query, rpc());
      return { data: deliveries.map(deliverySummaryView), page: cursorPage(query.limit, nextCursor) };
    },
  }),
  route({
    id: 'getDelivery',
    method: 'GET',
    path: `${path}/{id}`,
    section,
    summary: 'Get a delivery',
    description:
      'Returns a delivery with its body and all attempts. For members and viewers, `body` and every `responseSnippet` are null.',
    request: { params },
    success: { status: 200, description: 'The delivery.', data: deliveryRecord, example: deliveryExample },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    handle: async ({ params: { id } }, { clients, rpc }) => ({
      data: deliveryView(await clients.webhooks.call('GetDelivery', { id }, rpc())),
    }),
  }),
  route({
    id: 'retryDelivery',
    method: 'POST',
    path: `${path}/{id}/retry`,
    section,
    summary: 'Retry a delivery',
    description:
      'Enqueues one more attempt of a delivery that succeeded or failed. The attempt is made within seconds.',
    request: { params },
    success: {
      status: 202,
      description: 'The pending delivery.',
      data: deliveryRecord,
      example: { ...deliveryExample, status: 'pending', nextRetryAt: '2030-01-31T12:05:00.000Z', completedAt: null },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'ALREADY_QUEUED', 'ENDPOINT_DISABLED'],
    handle: async ({ params: { id } }, { clients, rpc, operation }) => ({
      data: deliveryView(await clients.webhooks.call('RetryDelivery', { id, ...operation }, rpc())),
    }),
  }),
];
