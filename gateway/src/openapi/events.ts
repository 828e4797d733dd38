import { z } from 'zod';
import {
  deliverableEvents,
  jsonSchema,
  webhookBody,
  type DeliverableEvent,
  type JsonSchema,
  type NamedSchemas,
} from '@tautan/proto';

/** Headers of webhook requests (Standard Webhooks 1.0). */
export const eventParameters: Record<string, JsonSchema> = {
  'webhook-id': headerOf('webhook-id', 'Id of the event. Retries have the same id.', 'evt_01jd3x8q4v5w6y7z8a9b0c1d2e'),
  'webhook-timestamp': headerOf(
    'webhook-timestamp',
    'Time of this attempt in seconds since 1970. Refuse requests that are older than 5 minutes.',
    '1896091200',
  ),
  'webhook-signature': headerOf(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. A replaced secret continues to sign for 24 hours: the header then contains several signatures, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

function headerOf(name: string, description: string, example: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } };
}

const responses = {
  '2XX': {
    description:
      'Accepted. Any other response, including redirects, is a failure and is retried, up to eight attempts.',
  },
  410: { description: 'Gone: the endpoint is disabled until it is resumed.' },
  429: { description: 'Retried later. `Retry-After` is respected up to 24 hours.' },
  503: { description: 'Retried later, like 429.' },
};

/**
 * Returns the `webhooks` of the document: one operation, whose body has a schema for each event type, named after the
 * type.
 */
export function eventWebhooks(named: NamedSchemas): JsonSchema {
  jsonSchema(eventBody, 'output', named);
  for (const event of deliverableEvents) named[event.type] = schemaOf(event, named);
  const oneOf = deliverableEvents.map(({ type }) => ({ $ref: `#/components/schemas/${type}` }));
  const schema = { oneOf, discriminator: { propertyName: 'type' } };
  return {
    event: {
      post: {
        summary: 'An event of the workspace',
        description:
          'Sent to every endpoint that is subscribed to the type of the event; `webhook.test` only to the tested endpoint.',
        // The request carries no credential: the endpoint verifies the signature of the request.
        security: [],
        parameters: Object.keys(eventParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses,
      },
    },
  };
}

/** Fields of all events. */
const eventBody = webhookBody('webhook.test').omit({ type: true, data: true }).meta({ id: 'Event' });

function schemaOf({ type, description, trigger }: DeliverableEvent, named: NamedSchemas): JsonSchema {
  const own = webhookBody(type)
    .pick({ data: true })
    .extend({ type: z.literal(type) });
  return {
    description: `${description}\n\n**Cause:** ${trigger}.`,
    allOf: [{ $ref: '#/components/schemas/Event' }, jsonSchema(own, 'output', named)],
  };
}
