import type { EndpointMessage } from '@tautan/proto';
import { z } from 'zod';
import { deliverableTypes } from './event-types.js';
import { identifier, pathId, text, time } from './fields.js';

export const ENDPOINT_ID = 'whe_01jd3x8q4v5w6y7z8a9b0c1d2e';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwFqE3Zt4mE5A=';

/** A type's name, of those that endpoints can subscribe to. */
export const eventTypeName = z.enum(deliverableTypes.map(({ type }) => type));
const wanted = z.enum(['*', ...deliverableTypes.map(({ type }) => type)]);

const url = text(2_048, 1).meta({
  format: 'uri',
  description:
    'Where events are sent: an https URL of a public host without credentials, at most 2,048 characters, once in the workspace. Ports 80, 443 and 8443 unless configured otherwise.',
  examples: ['https://example.com/hooks/tautan'],
});
const events = z
  .array(wanted)
  .min(1)
  .max(100)
  .meta({
    description: 'Types to be sent, at least one; or `*` alone, for all that there are and will be.',
    examples: [['link.created', 'link.clicked']],
    if: { contains: { const: '*' } },
    then: { items: { const: '*' } },
  });

/** Body of POST /webhooks. */
export const newEndpoint = z.strictObject({ url, events });

/** Body of PATCH /webhooks/{id}. */
export const endpointChange = z.strictObject({
  url: url.optional(),
  events: events.optional(),
  active: z
    .boolean()
    .optional()
    .meta({ description: 'false pauses the endpoint: nothing is sent. true resumes it.', examples: [true] }),
});

export const endpointRecord = z
  .object({
    id: identifier('whe', 'Id of the endpoint.'),
    url: z.string().meta({ description: 'Where events are sent.', examples: ['https://example.com/hooks/tautan'] }),
    events: z
      .array(z.string())
      .meta({ description: 'Types that are sent, or `*`.', examples: [['link.created', 'link.clicked']] }),
    active: z.boolean().meta({ description: 'Whether anything is sent.', examples: [true] }),
    disabledReason: z
      .string()
      .nullable()
      .meta({ description: 'Why it was switched off for its failures; null when it was not.', examples: [null] }),
    createdAt: time('When it was made.'),
    updatedAt: time('When it was changed last.'),
  })
  .meta({ id: 'WebhookEndpoint', description: 'Where events of a workspace are sent.' });
type EndpointRecord = z.infer<typeof endpointRecord>;

/** An endpoint with its secret, which is shown once. */
export const endpointWithSecret = endpointRecord
  .extend({
    secret: z.string().meta({
      description: 'The signing secret (Standard Webhooks): `whsec_` and 32 bytes in base64. It is shown this once.',
      examples: [SECRET],
    }),
  })
  .meta({ id: 'WebhookEndpointWithSecret', description: 'An endpoint and its signing secret.' });

export const endpointExample: EndpointRecord = {
  id: ENDPOINT_ID,
  url: 'https://example.com/hooks/tautan',
  events: ['link.created', 'link.clicked'],
  active: true,
  disabledReason: null,
  createdAt: '2029-04-01T08:00:00.000Z',
  updatedAt: '2029-04-01T08:00:00.000Z',
};
export const secretExample = { ...endpointExample, secret: SECRET };

/** An endpoint as the API shows it. */
export const endpointView = ({ id, url, events, active, ...endpoint }: EndpointMessage): EndpointRecord => ({
  id,
  url,
  events,
  active,
  disabledReason: endpoint.disabledReason ?? null,
  createdAt: endpoint.createdAt,
  updatedAt: endpoint.updatedAt,
});

export const endpointParams = z.object({ id: pathId('Id of the endpoint.', ENDPOINT_ID) });
