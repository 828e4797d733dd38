import { z } from 'zod';
import { changes } from '../routes/audit-log.js';
import { subscriptionRecord } from '../routes/billing-schemas.js';
import { deliverableTypes, exampleBody, type DeliverableType } from '../routes/event-types.js';
import { domainRecord } from '../routes/domain-schemas.js';
import { identifier, time } from '../routes/fields.js';
import { linkRecord } from '../routes/link-schemas.js';
import { memberRecord } from '../routes/members.js';
import { qrCodeRecord } from '../routes/qr-schemas.js';
import { tagRecord } from '../routes/tags.js';
import { endpointRecord } from '../routes/webhook-schemas.js';
import { clickRecord, usageThresholdRecord } from './event-records.js';
import { jsonSchema, type JsonSchema, type Named } from './json-schema.js';

/** What events carry, as the document describes it: by type, else by the kind of thing that it is about. */
const records: Record<string, z.ZodType> = {
  'link.clicked': clickRecord,
  'qr_code.scanned': clickRecord,
  'webhook.test': endpointRecord,
  link: linkRecord,
  tag: tagRecord,
  member: memberRecord,
  qr_code: qrCodeRecord,
  domain: domainRecord,
  subscription: subscriptionRecord,
  usage: usageThresholdRecord,
};

/** The described schema of what a type carries. */
export const recordOf = ({ type }: Pick<DeliverableType, 'type'>): z.ZodType =>
  records[type] ?? records[type.split('.')[0]!]!;

const bodyOf = (event: DeliverableType) =>
  z.object({
    id: identifier('evt', 'Id of the event, the same for every endpoint; also in `webhook-id`.'),
    type: z.literal(event.type).meta({ description: 'Type of the event.', examples: [event.type] }),
    createdAt: time('When it happened.'),
    workspaceId: identifier('ws', 'Workspace that it happened in.'),
    data: recordOf(event),
    changes: changes.optional(),
  });

/** Headers of what is sent (Standard Webhooks 1.0). */
export const eventParameters: Record<string, JsonSchema> = {
  'webhook-id': headerOf(
    'webhook-id',
    'Id of the event: repetitions carry the same one.',
    'evt_01jd3x8q4v5w6y7z8a9b0c1d2e',
  ),
  'webhook-timestamp': headerOf(
    'webhook-timestamp',
    'When this attempt was made, seconds since 1970; refuse what is older than 5 minutes.',
    '1896091200',
  ),
  'webhook-signature': headerOf(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`; two of them, with a space between, for 24 hours after a rotation.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
};

function headerOf(name: string, description: string, example: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string', examples: [example] } };
}

const answers: JsonSchema = {
  '2XX': { description: 'Taken. Anything else has failed, redirects too, and is tried again, eight times in all.' },
  410: { description: 'Gone: nothing is sent to this endpoint any more until it is resumed.' },
  429: { description: 'Later: `Retry-After` is honoured up to 24 hours.' },
  503: { description: 'Later: `Retry-After` is honoured up to 24 hours.' },
};

/** The `webhooks` of the document: what is sent for each deliverable type of the catalogue. */
export const eventWebhooks = (named: Named): JsonSchema =>
  Object.fromEntries(deliverableTypes.map((event) => [event.type, { post: operation(event, named) }]));

function operation(event: DeliverableType, named: Named): JsonSchema {
  const { type, description, trigger, example } = event;
  const schema = jsonSchema(bodyOf(event), 'output', named);
  return {
    summary: description,
    description: `**Cause:** ${trigger}.`,
    // The request carries no credential: the endpoint verifies its signature.
    security: [],
    parameters: Object.keys(eventParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleBody(type, example) } },
    },
    responses: answers,
  };
}
