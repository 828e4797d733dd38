import {
  eventCatalog,
  eventTypeRecord,
  exampleWebhookBody,
  type EventDefinition,
  type EventType,
  type EventTypeRecord,
} from '@tautan/proto';
import { z } from 'zod';
import { route } from './route.js';

/** An event type that endpoints can subscribe to. */
export interface DeliverableType {
  type: EventType;
  description: string;
  trigger: string;
  /** Schema of `data`. */
  data: z.ZodType;
  /** An example of the body. */
  example: ReturnType<typeof exampleWebhookBody>;
}

/** All event types that endpoints can subscribe to, in the order of the catalog. */
export const deliverableTypes: readonly DeliverableType[] = Object.entries<EventDefinition>(eventCatalog)
  .filter(([, { webhook }]) => webhook !== undefined)
  .map(([type, definition]) => {
    const { description, trigger, data } = definition;
    return { type: type as EventType, description, trigger, data, example: exampleWebhookBody(type, definition) };
  });

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
      example,
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
