import type { Handlers } from '@tautan/kit/rpc';
import type { WebhooksDefinition } from '@tautan/proto';
import { NOW } from './people.js';

export const ENDPOINT_ID = 'whe_01jd3x8q4v5w6y7z8a9b0c1d2e';
export const DELIVERY_ID = 'whd_01jd3x8q4v5w6y7z8a9b0c1d2e';
/** Body of a delivery. Its format differs from that of JSON.stringify, so that tests fail if it is serialized again. */
export const DELIVERY_BODY = '{"id":"evt_1", "type":"link.created","n":1.0}';

/** An endpoint as returned by the webhooks service. */
export const anEndpoint = (overrides: object = {}) => ({
  id: ENDPOINT_ID,
  url: 'https://example.com/hook',
  events: ['*'],
  active: true,
  createdAt: NOW,
  updatedAt: NOW,
  ...overrides,
});

export const aDelivery = (overrides: object = {}) => ({
  id: DELIVERY_ID,
  subscriptionId: ENDPOINT_ID,
  eventId: 'evt_01jd3x8q4v5w6y7z8a9b0c1d2e',
  type: 'link.created',
  status: 'pending',
  attempts: 0,
  createdAt: NOW,
  ...overrides,
});

/** A delivery with the fields that lists omit. */
export const aWholeDelivery = (overrides: object = {}) =>
  aDelivery({
    attempts: 2,
    nextRetryAt: NOW,
    body: DELIVERY_BODY,
    attemptLog: [
      { n: 1, at: NOW, durationMs: 15_000, error: 'timeout' },
      { n: 2, at: NOW, durationMs: 12, statusCode: 500, error: 'status', responseSnippet: 'no' },
    ],
    ...overrides,
  });

/** Returns handlers of the webhooks service. Each creation of an endpoint and each rotation returns a new secret. */
export function webhooks(): Handlers<WebhooksDefinition> {
  let secrets = 0;
  const secret = () => `whsec_${(secrets += 1)}`;
  return {
    CreateEndpoint: async (_call, { url, events }) => ({ endpoint: anEndpoint({ url, events }), secret: secret() }),
    ListEndpoints: async () => ({ endpoints: [anEndpoint(), anEndpoint({ active: false, disabledReason: 'gone' })] }),
    UpdateEndpoint: async (_call, { id, url, events, active }) =>
      anEndpoint({
        id,
        ...(url !== undefined && { url }),
        ...(events && { events: events.types }),
        ...(active !== undefined && { active }),
      }),
    DeleteEndpoint: async (_call, { id }) => ({ id }),
    RotateSecret: async (_call, { id }) => ({ endpoint: anEndpoint({ id }), secret: secret() }),
    TestEndpoint: async () => aWholeDelivery({ type: 'webhook.test' }),
    ListDeliveries: async () => ({ deliveries: [aDelivery()] }),
    GetDelivery: async () => aWholeDelivery(),
    RetryDelivery: async () => aWholeDelivery(),
    ListEventTypes: async () => ({
      eventTypes: [
        { type: 'link.created', description: 'A link was created.', trigger: 'POST', example: '{"id":"evt_1"}' },
      ],
    }),
  };
}
