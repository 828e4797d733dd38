import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Delivery, EndpointWithSecret } from '../api/records.js';
import type { TestService } from './service.js';

type TestDelivery = Pick<Delivery, 'id' | 'subscriptionId' | 'eventId' | 'type' | 'status' | 'createdAt' | 'body'>;

/** The webhooks of a test service. */
export interface TestWebhooks {
  endpoints: Pick<EndpointWithSecret, 'id' | 'url' | 'events' | 'active' | 'secret'>[];
  /** Oldest first. */
  deliveries: TestDelivery[];
  /** Posts a signed event once to every endpoint. Rejects if a response takes longer than `waitMs`. */
  deliver(type: string, data?: object, waitMs?: number): Promise<Response[]>;
  /** Adds to `deliveries` a successful delivery whose endpoint is not in `endpoints`. Sends nothing. */
  deliverElsewhere(type: string): TestDelivery;
}

const TYPES = ['link.created', 'link.updated', 'tag.created', 'tag.deleted', 'webhook.test'];
const id = (prefix: string) => `${prefix}_${randomBytes(13).toString('hex')}`;

/** Adds webhooks to a test service. Unless `local` is true, the service rejects every endpoint as not public. */
export function serveWebhooks(service: TestService, { local }: { local: boolean }): TestWebhooks {
  const endpoints: TestWebhooks['endpoints'] = [];
  const deliveries: TestDelivery[] = [];
  const anEvent = (type: string, data: object) => {
    const eventId = id('evt');
    return {
      eventId,
      body: JSON.stringify({ id: eventId, type, createdAt: new Date().toISOString(), workspaceId: 'ws_1', data }),
    };
  };

  service.on('GET /webhooks/event-types', () => ({ data: TYPES.map((type) => ({ type, description: `${type}.` })) }));
  service.on('GET /webhooks', () => ({
    data: endpoints.map(({ id, url, events, active }) => ({ id, url, events, active })),
  }));
  service.on('POST /webhooks', ({ body }) => {
    if (!local)
      return {
        status: 400,
        error: { code: 'VALIDATION_ERROR', message: 'url must name a public host.', field: 'url' },
      };
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const endpoint = { ...(body as { url: string; events: string[] }), id: id('whe'), active: true, secret };
    endpoints.push(endpoint);
    return { status: 201, data: endpoint };
  });
  service.on('DELETE /webhooks/*', ({ path }) => {
    const at = endpoints.findIndex(({ id }) => path.endsWith(id));
    if (at < 0) return { status: 404, error: { code: 'NOT_FOUND', message: 'No webhook endpoint with this id.' } };
    return { data: { id: endpoints.splice(at, 1)[0]!.id, deleted: true } };
  });
  service.on('GET /webhooks/deliveries', ({ query }) => {
    const [from, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit'))];
    const hasMore = deliveries.length > from + limit;
    const data = deliveries
      .toReversed()
      .slice(from, from + limit)
      .map(({ body: _body, ...summary }) => summary);
    return { data, page: { limit, hasMore, ...(hasMore && { nextCursor: String(from + limit) }) } };
  });
  service.on('GET /webhooks/deliveries/*', ({ path }) => ({ data: deliveries.find(({ id }) => path.endsWith(id)) }));

  return {
    endpoints,
    deliveries,
    deliver: (type, data = {}, waitMs = 10_000) => {
      const { eventId, body } = anEvent(type, data);
      return Promise.all(
        endpoints.map(({ url, secret }) => {
          const at = new Date();
          const headers = {
            'content-type': 'application/json',
            'user-agent': 'Tautan-Webhooks/1',
            'webhook-id': eventId,
            'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
            'webhook-signature': new Webhook(secret).sign(eventId, at, body),
          };
          return fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(waitMs) });
        }),
      );
    },
    deliverElsewhere: (type) => {
      const { eventId, body } = anEvent(type, {});
      const delivery: TestDelivery = {
        id: id('whd'),
        subscriptionId: 'whe_1',
        eventId,
        type,
        status: 'succeeded',
        createdAt: new Date().toISOString(),
        body,
      };
      deliveries.push(delivery);
      return delivery;
    },
  };
}
