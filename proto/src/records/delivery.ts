import { z } from 'zod';
import { choice, count, exampleId, identifier, text, time } from './fields.js';
import { ENDPOINT_ID } from './webhook-endpoint.js';

export const deliveryStatuses = ['pending', 'succeeded', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

const attempt = z
  .object({
    n: count('Number of the attempt, from 1.', 1),
    at: time('Time at which the attempt started.'),
    durationMs: count('Duration in milliseconds.', 84),
    statusCode: count('HTTP status of the response; null if there was none.', 200).nullable(),
    error: z
      .string()
      .nullable()
      .meta({ description: 'Why the attempt failed; null if it succeeded.', examples: [null] }),
    responseSnippet: text(
      'First KiB of the response body; null if it was empty or there was no response, and for members and viewers.',
      'ok',
    ).nullable(),
  })
  .meta({ id: 'Attempt', description: 'An attempt to deliver an event to an endpoint.' });

export const deliverySummaryRecord = z
  .object({
    id: identifier('whd', 'Id of the delivery.'),
    subscriptionId: identifier('whe', 'Id of the endpoint.'),
    eventId: identifier('evt', 'Id of the event. Receivers use it to detect duplicates.'),
    type: text('Type of the event.', 'link.created'),
    status: choice(deliveryStatuses, '`pending` until the delivery succeeds or its last attempt fails.', 'succeeded'),
    attempts: count('Number of attempts so far.', 1),
    nextRetryAt: time('Time of the next attempt; null if there is none.').nullable(),
    createdAt: time('Time at which the event was enqueued for the endpoint.'),
    completedAt: time('Time at which the delivery succeeded or failed; null while pending.').nullable(),
  })
  .meta({ id: 'DeliverySummary', description: 'A delivery of an event to an endpoint.' });
export type DeliverySummaryRecord = z.infer<typeof deliverySummaryRecord>;

export const deliveryRecord = deliverySummaryRecord
  .extend({
    body: z
      .string()
      .nullable()
      .meta({
        description: 'The exact JSON text that is signed and sent. Null for members and viewers.',
        examples: [`{"id":"${exampleId('evt')}","type":"link.created"}`],
      }),
    attemptLog: z.array(attempt).meta({ description: 'All attempts, oldest first.' }),
  })
  .meta({ id: 'Delivery', description: 'A delivery of an event to an endpoint, with all attempts.' });
export type DeliveryRecord = z.infer<typeof deliveryRecord>;

export const DELIVERY_ID = exampleId('whd');

export const deliverySummaryExample: DeliverySummaryRecord = {
  id: DELIVERY_ID,
  subscriptionId: ENDPOINT_ID,
  eventId: exampleId('evt'),
  type: 'link.created',
  status: 'succeeded',
  attempts: 1,
  nextRetryAt: null,
  createdAt: '2030-01-31T12:00:00.000Z',
  completedAt: '2030-01-31T12:00:00.120Z',
};

export const deliveryExample: DeliveryRecord = {
  ...deliverySummaryExample,
  body: `{"id":"${exampleId('evt')}","type":"link.created"}`,
  attemptLog: [
    { n: 1, at: '2030-01-31T12:00:00.036Z', durationMs: 84, statusCode: 200, error: null, responseSnippet: 'ok' },
  ],
};
