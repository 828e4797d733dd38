import { z } from 'zod';
import {
  EXAMPLE_EVENT_TIME,
  eventCatalog,
  type EventData,
  type EventDefinition,
  type EventType,
} from './event-catalog.js';
import { actorRecord, changesRecord, targetRecord } from './records/actor.js';
import { exampleId, identifier, text, time } from './records/fields.js';
import { WORKSPACE_ID } from './records/workspace.js';

/**
 * Returns the sentence of an audit entry, such as "Ayu renamed the tag spring"; empty for a type that is not audited.
 */
export function auditSummary(type: string, actor: string, target: string): string {
  const definition: EventDefinition | undefined = eventCatalog[type as EventType];
  return definition?.audit === undefined ? '' : `${actor} ${definition.audit} ${target}`.trim();
}

/** The fields of every event on the bus, without its `data`. */
export const eventEnvelope = z.object({
  id: z
    .string()
    .regex(/^evt_/)
    .meta({
      description: 'Id of the event: `evt_` and a ULID. Redeliveries have the same id.',
      examples: [exampleId('evt')],
    }),
  type: z.enum(Object.keys(eventCatalog) as [EventType, ...EventType[]], {
    error: ({ input }) => `unknown event type ${JSON.stringify(input)}`,
  }),
  at: z.iso
    .datetime()
    .meta({ description: 'Time of the event, ISO 8601 in UTC.', examples: ['2030-01-31T12:00:00.000Z'] }),
  workspaceId: identifier('ws', 'Workspace of the event.'),
  version: z
    .number()
    .int()
    .optional()
    .meta({
      description:
        "Version of the target's state, which increases with every change. Present only for types whose consumers must apply the events in order.",
      examples: [7],
    }),
  actor: actorRecord,
  requestId: identifier('req', 'Id of the request that caused the event; null if there was none.').nullable(),
  ip: text('IP address of the request; null if there was none.', '203.0.113.7').nullable(),
  userAgent: text('User agent of the request; null if there was none.', 'tautan-cli/1.0').nullable(),
  target: targetRecord,
  changes: changesRecord,
});

// Defined once, because zod compiles a schema on first use.
const event = eventEnvelope.extend({ data: z.unknown() });

/** An event that reports one state change, published to the stream EVENTS with the subject `events.<type>`. */
export type TautanEvent<T extends EventType = EventType> = z.infer<typeof eventEnvelope> & {
  type: T;
  data: EventData<T>;
};

/**
 * Parses an event that was published by this or an earlier version of Tautan. Fields that the earlier version
 * lacked are set to their default values. Throws an Error that names an invalid field in one line.
 */
export function parseEvent(value: unknown): TautanEvent {
  const { data, ...head } = parse(event, value);
  const { data: schema, added = {} }: EventDefinition = eventCatalog[head.type];
  const complete: unknown = typeof data === 'object' ? { ...added, ...data } : data;
  return { ...head, data: parse(schema, complete, 'data') as EventData<EventType> };
}

function parse<T>(schema: z.ZodType<T>, value: unknown, ...parents: string[]): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  throw new Error(`${[...parents, ...path].join('.') || 'event'}: ${message}`);
}

/** Returns the schema of the body that webhook endpoints receive for an event type. */
export const webhookBody = (type: EventType) =>
  z.object({
    id: identifier('evt', 'Id of the event, the same for every endpoint. Also sent as `webhook-id`.'),
    type: z.literal(type).meta({ description: 'Type of the event.', examples: [type] }),
    createdAt: time('Time of the event.'),
    workspaceId: identifier('ws', 'Workspace of the event.'),
    data: eventCatalog[type].data,
    changes: changesRecord.optional(),
  });

/** Returns an example of the body that webhook endpoints receive for an event type. */
export const exampleWebhookBody = (
  type: string,
  { webhook: data, changes }: Pick<EventDefinition, 'webhook' | 'changes'>,
) => ({
  id: exampleId('evt'),
  type,
  createdAt: EXAMPLE_EVENT_TIME,
  workspaceId: WORKSPACE_ID,
  data,
  ...(changes && { changes }),
});

/** An event type that webhook endpoints can subscribe to. */
export type DeliverableEvent = (typeof deliverableEvents)[number];

/**
 * All event types that webhook endpoints can subscribe to, in the order of the catalog, with an example of the body.
 */
export const deliverableEvents = Object.entries<EventDefinition>(eventCatalog)
  .filter(([, { webhook }]) => webhook !== undefined)
  .map(([type, definition]) => {
    const { description, trigger, data } = definition;
    return { type: type as EventType, description, trigger, data, example: exampleWebhookBody(type, definition) };
  });
