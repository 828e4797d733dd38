import { eventCatalogue, type EventType } from '@tautan/proto';
import { z } from 'zod';
import { route } from './route.js';

/** A type that endpoints can subscribe to. */
export interface DeliverableType {
  type: EventType;
  description: string;
  trigger: string;
  /** The catalogue's schema of what it carries, and an example of that. */
  data: z.ZodType;
  example: unknown;
}

/** Every deliverable type, in the order of the catalogue. */
export const deliverableTypes: readonly DeliverableType[] = Object.entries(eventCatalogue).flatMap(
  ([type, { description, trigger, data, ...more }]) =>
    'webhook' in more ? [{ type: type as EventType, description, trigger, data, example: more.webhook }] : [],
);

/** The body of a webhook that carries `data`. */
export const exampleBody = (type: string, data: unknown) => ({
  id: 'evt_01jd3x8q4v5w6y7z8a9b0c1d2e',
  type,
  createdAt: '2030-01-31T12:00:00.000Z',
  workspaceId: 'ws_01jd3x8q4v5w6y7z8a9b0c1d2e',
  data,
});

const [first] = deliverableTypes as [DeliverableType];

const eventType = z
  .object({
    type: z.string().meta({ description: 'Name of the type.', examples: [first.type] }),
    description: z.string().meta({ description: 'What it tells.', examples: [first.description] }),
    trigger: z.string().meta({ description: 'What causes it.', examples: [first.trigger] }),
    example: z
      .record(z.string(), z.unknown())
      .meta({ description: 'A body as endpoints receive it.', examples: [exampleBody(first.type, first.example)] }),
  })
  .meta({ id: 'EventType', description: 'A type of events that endpoints can subscribe to.' });

export const listEventTypes = route({
  id: 'listEventTypes',
  method: 'GET',
  path: '/api/v1/webhooks/event-types',
  section: 'Webhooks',
  summary: 'List event types',
  description: 'What endpoints can subscribe to, and what causes it; not paged.',
  request: {},
  success: {
    status: 200,
    description: 'All types.',
    data: z.array(eventType),
    example: deliverableTypes.slice(0, 1).map(({ type, description, trigger, example }) => ({
      type,
      description,
      trigger,
      example: exampleBody(type, example),
    })),
    paged: 'whole',
  },
  errors: [],
  handle: async (_request, { clients, rpc }) => {
    const { eventTypes } = await clients.webhooks.call('ListEventTypes', {}, rpc());
    const data = eventTypes.map(({ type, description, trigger, example }) => ({
      type,
      description,
      trigger,
      example: JSON.parse(example) as unknown,
    }));
    return { data };
  },
});
