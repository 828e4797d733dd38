import { deliverableEvents, ENDPOINT_ID } from '@tautan/proto';
import { z } from 'zod';
import { pathId, text } from './fields.js';

/** The name of an event type that endpoints can subscribe to. */
export const eventTypeName = z.enum(deliverableEvents.map(({ type }) => type));
const eventTypeOrAll = z.enum(['*', ...deliverableEvents.map(({ type }) => type)]);

const url = text(2_048, 1).meta({
  format: 'uri',
  description:
    'Address to which events are sent: an https URL of a public host without credentials, at most 2,048 characters long and unique in the workspace. The port must be 80, 443 or 8443 unless configured otherwise.',
  examples: ['https://example.com/hooks/tautan'],
});
const events = z
  .array(eventTypeOrAll)
  .min(1)
  .max(100)
  .meta({
    description: 'Event types to send, at least one; or only `*` for all current and future types.',
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
    .meta({ description: '`false` pauses the endpoint: nothing is sent. `true` resumes it.', examples: [true] }),
});

export const endpointParams = z.object({ id: pathId('Id of the endpoint.', ENDPOINT_ID) });
