import { eventCatalog, eventTypeRecord, exampleWebhookBody, type EventType, type EventTypeRecord } from '@tautan/proto';
import { z } from 'zod';
import { route } from './route.js';

/** An event type that endpoints can subscribe to. */
export interface DeliverableType {
  type: EventType;
  description: string;
  trigger: string;
  /** Schema of `data`. */
  data: z.ZodType;
  /** An example of `data`. */
  example: unknown;
}

/** All event types that endpoints can subscribe to, in the order of the catalog. */
export const deliverableTypes: readonly DeliverableType[] = Object.entries(eventCatalog).flatMap(
  ([type, { description, trigger, data, ...more }]) =>
    'webhook' in more ? [{ type: type as EventType, description, trigger, data, example: more.webhook }] : [],
);

export const listEventTypes = route({
  id: 'listEventTypes',
  method: 'GET',
  path: '/api/v1/webhooks/event-types',
  section: 'Webhooks',
  summary: 'List event types',
  description: 'Returns all event types that endpoints can subscribe to, without pagination.',
  request: {},
  success: {
    status: 200,
    description: 'All types.',
    data: z.array(eventTypeRecord),
    example: deliverableTypes.slice(0, 1).map(({ type, description, trigger, example }) => ({
      type,
      description,
      trigger,
      example: exampleWebhookBody(type, example),
    })),
    paged: 'whole',
  },
  errors: [],
  handle: async (_request, { clients, rpc }) => {
    const { eventTypes } = await clients.webhooks.call('ListEventTypes', {}, rpc());
    const data = eventTypes.map(({ type, description, trigger, example }): EventTypeRecord => ({
      type,
      description,
      trigger,
      example: JSON.parse(example) as EventTypeRecord['example'],
    }));
    return { data };
  },
});
