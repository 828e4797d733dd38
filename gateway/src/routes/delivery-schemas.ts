import type { DeliveryMessage } from '@tautan/proto';
import { z } from 'zod';
import { deliverableTypes, exampleBody } from './event-types.js';
import { count, identifier, pageCursor, pageSize, term, time } from './fields.js';
import { ENDPOINT_ID, eventTypeName } from './webhook-schemas.js';

export const DELIVERY_ID = 'whd_01jd3x8q4v5w6y7z8a9b0c1d2e';
const statuses = z.enum(['pending', 'succeeded', 'failed']);

/** Query of GET /webhooks/deliveries. */
export const deliveryQuery = z.object({
  status: statuses.optional().meta({ description: 'Only deliveries of this status.', examples: ['failed'] }),
  subscriptionId: term(64)
    .optional()
    .meta({ description: 'Only those to this endpoint.', examples: [ENDPOINT_ID] }),
  type: eventTypeName.optional().meta({ description: 'Only those of this event type.', examples: ['link.created'] }),
  cursor: pageCursor,
  limit: pageSize(100, 20),
});

const attempt = z
  .object({
    n: count('From 1.', 1),
    at: time('When it began.'),
    durationMs: count('How long it took, milliseconds.', 84),
    statusCode: count('HTTP status of the answer; null when none came.', 200).nullable(),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed; null when it did not.', examples: [null] }),
    responseSnippet: z
      .string()
      .nullable()
      .meta({
        description: 'The first KiB of the answer; null when there was none, and for members and viewers.',
        examples: ['ok'],
      }),
  })
  .meta({ id: 'Attempt', description: 'One attempt of a delivery.' });

export const deliverySummary = z
  .object({
    id: identifier('whd', 'Id of the delivery.'),
    subscriptionId: identifier('whe', 'Id of the endpoint.'),
    eventId: identifier('evt', 'Id of the event; receivers tell repetitions by it.'),
    type: z.string().meta({ description: 'Type of the event.', examples: ['link.created'] }),
    status: statuses.meta({ description: '`pending` until it succeeds or is given up.', examples: ['succeeded'] }),
    attempts: count('Attempts so far.', 1),
    nextRetryAt: time('When the next attempt is due; null when none is.').nullable(),
    createdAt: time('When the event was queued for the endpoint.'),
    completedAt: time('When it succeeded or was given up; null while pending.').nullable(),
  })
  .meta({ id: 'DeliverySummary', description: 'One event for one endpoint.' });
type DeliverySummary = z.infer<typeof deliverySummary>;

export const deliveryRecord = deliverySummary
  .extend({
    body: z
      .string()
      .nullable()
      .meta({
        description:
          'The JSON text that is sent: the exact bytes that the signature covers. Null for members and viewers.',
        examples: ['{"id":"evt_01jd3x8q4v5w6y7z8a9b0c1d2e","type":"link.created"}'],
      }),
    attemptLog: z.array(attempt).meta({ description: 'Every attempt, oldest first.' }),
  })
  .meta({ id: 'Delivery', description: 'One event for one endpoint, with every attempt.' });
type DeliveryRecord = z.infer<typeof deliveryRecord>;

const [first] = deliverableTypes;
export const summaryExample: DeliverySummary = {
  id: DELIVERY_ID,
  subscriptionId: ENDPOINT_ID,
  eventId: 'evt_01jd3x8q4v5w6y7z8a9b0c1d2e',
  type: first!.type,
  status: 'succeeded',
  attempts: 1,
  nextRetryAt: null,
  createdAt: '2030-01-31T12:00:00.000Z',
  completedAt: '2030-01-31T12:00:00.120Z',
};
export const deliveryExample: DeliveryRecord = {
  ...summaryExample,
  body: JSON.stringify(exampleBody(first!.type, first!.example)),
  attemptLog: [
    {
      n: 1,
      at: '2030-01-31T12:00:00.036Z',
      durationMs: 84,
      statusCode: 200,
      error: null,
      responseSnippet: 'ok',
    },
  ],
};

/** A delivery as lists show it. */
export const summaryView = ({ id, subscriptionId, eventId, type, ...delivery }: DeliveryMessage): DeliverySummary => ({
  id,
  subscriptionId,
  eventId,
  type,
  status: delivery.status as DeliverySummary['status'],
  attempts: delivery.attempts,
  nextRetryAt: delivery.nextRetryAt ?? null,
  createdAt: delivery.createdAt,
  completedAt: delivery.completedAt ?? null,
});

/** A delivery with all that is known of it. */
export const deliveryView = (delivery: DeliveryMessage): DeliveryRecord => ({
  ...summaryView(delivery),
  // Withheld bodies are empty on the wire; no delivery has an empty one.
  body: delivery.body || null,
  attemptLog: delivery.attemptLog.map(({ n, at, durationMs, statusCode, error, responseSnippet }) => ({
    n,
    at,
    durationMs,
    statusCode: statusCode ?? null,
    error: error ?? null,
    responseSnippet: responseSnippet ?? null,
  })),
});
