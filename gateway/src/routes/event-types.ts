import { deliverableEvents, eventTypeRecord, type EventTypeRecord } from '@tautan/proto';
import { z } from 'zod';
import { route } from './route.js';

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
    example: deliverableEvents.slice(0, 1).map(({ type, description, trigger, example }) => ({
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
