import { z } from 'zod';
import { eventCatalog, unpublishedTypes, type EventDefinition } from './event-catalog.js';
import { eventEnvelope } from './events.js';
import { jsonSchema, type NamedSchemas } from './json-schema.js';
import { streams } from './subjects.js';

const MS_PER_DAY = 86_400_000;
const types = Object.entries(eventCatalog as Record<string, EventDefinition>);
const publishedTypes = types.map(([type]) => type).filter((type) => !(unpublishedTypes as string[]).includes(type));
const reference = (type: string) => ({ $ref: `#/components/messages/${type}` });

/** Returns the AsyncAPI 3.0 document of all event types. */
export function asyncApi(version: string): Record<string, unknown> {
  const schemas: NamedSchemas = {};
  schemas['Event'] = jsonSchema(eventEnvelope, 'output', schemas);
  const messages = Object.fromEntries(types.map(([type, definition]) => [type, message(type, definition, schemas)]));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Tautan events',
      version,
      license: { name: 'Apache-2.0' },
      description: `Events that Tautan publishes on NATS JetStream. Each is published once and delivered at least once to every consumer. The message id is the event id. ${unpublishedTypes.map((type) => `\`${type}\``).join(' and ')} have messages but no channels, because they are not published on NATS: they are sent only to webhook endpoints. New fields can be added at any time.`,
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(publishedTypes.map((type) => [type, channel(type)])),
    operations: Object.fromEntries(publishedTypes.map((type) => [`receive ${type}`, operation(type)])),
    components: { messages, schemas },
  };
}

const channel = (type: string) => ({
  address: `events.${type}`,
  description: `Stream ${streams.events.name}, which keeps messages for ${streams.events.maxAgeMs / MS_PER_DAY} days.`,
  messages: { [type]: reference(type) },
});

const operation = (type: string) => ({
  action: 'receive',
  channel: { $ref: `#/channels/${type}` },
  messages: [{ $ref: `#/channels/${type}/messages/${type}` }],
});

function message(type: string, { description, trigger, data, webhook }: EventDefinition, schemas: NamedSchemas) {
  const own = jsonSchema(z.object({ type: z.literal(type), data }), 'output', schemas);
  return {
    name: type,
    title: type,
    summary: description,
    description: `Cause: ${trigger}.${webhook === undefined ? '' : ' Webhook endpoints can subscribe to it.'}`,
    payload: { allOf: [{ $ref: '#/components/schemas/Event' }, own] },
  };
}
