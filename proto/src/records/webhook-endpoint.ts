import { z } from 'zod';
import { exampleId, flag, identifier, text, texts, time } from './fields.js';

export const webhookEndpointRecord = z
  .object({
    id: identifier('whe', 'Id of the endpoint.'),
    url: text('Address to which events are sent.', 'https://example.com/hooks/tautan'),
    events: texts('Event types that are sent; `*` stands for all.', ['link.created', 'link.clicked']),
    active: flag('Whether events are sent.', true),
    disabledReason: z
      .string()
      .nullable()
      .meta({
        description: 'Why Tautan disabled the endpoint; null if it did not, or if the endpoint has been resumed since.',
        examples: [null],
      }),
    createdAt: time('Time of creation.'),
    updatedAt: time('Time of the last change.'),
  })
  .meta({ id: 'WebhookEndpoint', description: 'An endpoint to which the events of a workspace are sent.' });
export type WebhookEndpointRecord = z.infer<typeof webhookEndpointRecord>;

export const ENDPOINT_ID = exampleId('whe');

export const webhookEndpointExample: WebhookEndpointRecord = {
  id: ENDPOINT_ID,
  url: 'https://example.com/hooks/tautan',
  events: ['link.created', 'link.clicked'],
  active: true,
  disabledReason: null,
  createdAt: '2029-04-01T08:00:00.000Z',
  updatedAt: '2029-04-01T08:00:00.000Z',
};

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwFqE3Zt4mE5A=';

export const webhookEndpointWithSecretRecord = webhookEndpointRecord
  .extend({
    secret: text(
      'Signing secret (Standard Webhooks): `whsec_` and 32 bytes in base64. It is returned only once.',
      SECRET,
    ),
  })
  .meta({ id: 'WebhookEndpointWithSecret', description: 'An endpoint and its signing secret.' });
export type WebhookEndpointWithSecretRecord = z.infer<typeof webhookEndpointWithSecretRecord>;

export const webhookEndpointWithSecretExample: WebhookEndpointWithSecretRecord = {
  ...webhookEndpointExample,
  secret: SECRET,
};
