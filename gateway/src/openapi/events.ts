import { exampleWebhookBody, jsonSchema, webhookBody, type JsonSchema, type NamedSchemas } from '@tautan/proto';
import { deliverableTypes, type DeliverableType } from '../routes/event-types.js';

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
    '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`. For 24 hours after a rotation, two signatures separated by a space.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

function headerOf(name: string, description: string, example: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } };
}

/** Responses of webhook endpoints, by name. */
export const eventResponses: Record<string, JsonSchema> = {
  WebhookAccepted: {
    description:
      'Accepted. Any other response, including redirects, is a failure and is retried, up to eight attempts.',
  },
  WebhookGone: { description: 'Gone: the endpoint is disabled until it is resumed.' },
  WebhookDelayed: { description: 'Retried later. `Retry-After` is respected up to 24 hours.' },
};
const response = (name: keyof typeof eventResponses) => ({ $ref: `#/components/responses/${name}` });
const responses = {
  '2XX': response('WebhookAccepted'),
  410: response('WebhookGone'),
  429: response('WebhookDelayed'),
  503: response('WebhookDelayed'),
};

/** Returns the `webhooks` of the document: an operation for each event type that endpoints can subscribe to. */
export const eventWebhooks = (named: NamedSchemas): JsonSchema =>
  Object.fromEntries(deliverableTypes.map((event) => [event.type, { post: operation(event, named) }]));

function operation(event: DeliverableType, named: NamedSchemas): JsonSchema {
  const { type, description, trigger, example } = event;
  const schema = jsonSchema(webhookBody(type), 'output', named);
  return {
    summary: description,
    description: `**Cause:** ${trigger}.`,
    // The request carries no credential: the endpoint verifies its signature.
    security: [],
    parameters: Object.keys(eventParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleWebhookBody(type, example) } },
    },
    responses,
  };
}
