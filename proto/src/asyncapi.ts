import { z } from 'zod';
import { eventCatalogue, type EventDefinition } from './events.js';
import { streams } from './subjects.js';

const actor = z.object({
  type: z.enum(['user', 'api_key', 'system']),
  id: z.string().nullable(),
  name: z.string(),
});

/** The event around its `data`, as it stands on the stream. */
const envelopeOf = (type: string, data: z.ZodType) =>
  z.object({
    id: z.string().describe('evt_ and a ULID; the same at every delivery.'),
    type: z.literal(type),
    at: z.iso.datetime().describe('When it happened, UTC.'),
    workspaceId: z.string(),
    actor: actor.describe('Who did it.'),
    requestId: z.string().nullable(),
    ip: z.string().nullable(),
    userAgent: z.string().nullable(),
    target: z.object({ type: z.string(), id: z.string(), label: z.string() }).describe('To what.'),
    changes: z
      .record(z.string(), z.object({ before: z.unknown(), after: z.unknown() }))
      .describe('Before and after of each field that changed.'),
    data,
  });

/** All events on the bus, as an AsyncAPI 3.0 document made from the catalogue. */
export function asyncApi(version: string): Record<string, unknown> {
  const types = Object.entries(eventCatalogue as Record<string, EventDefinition>);
  const reference = (type: string) => ({ $ref: `#/components/messages/${type}` });
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tautan events',
      version,
      license: { name: 'Apache-2.0' },
      description:
        'What happens in Tautan, told once each on NATS JetStream, at least once to every consumer. The message id is the event id.',
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(
      types.map(([type]) => [
        type,
        {
          address: `events.${type}`,
          description: `Stream ${streams.events.name}, kept for ${streams.events.maxAgeMs / 86_400_000} days.`,
          messages: { [type]: reference(type) },
        },
      ]),
    ),
    operations: Object.fromEntries(
      types.map(([type]) => [
        `receive ${type}`,
        {
          action: 'receive',
          channel: { $ref: `#/channels/${type}` },
          messages: [{ $ref: `#/channels/${type}/messages/${type}` }],
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries(
        types.map(([type, { description, trigger, data, webhook }]) => [
          type,
          {
            name: type,
            title: type,
            summary: description,
            description: `Caused by: ${trigger}.${webhook === undefined ? '' : ' Webhooks can subscribe to it.'}`,
            payload: z.toJSONSchema(envelopeOf(type, data)),
          },
        ]),
      ),
    },
  };
}
