import { deliveryStatuses, ENDPOINT_ID } from '@tautan/proto';
import { z } from 'zod';
import { pageCursor, pageSize, nonEmptyText } from './fields.js';
import { eventTypeName } from './webhook-schemas.js';

/** Query of GET /webhooks/deliveries. */
export const deliveryQuery = z.object({
  status: z
    .enum(deliveryStatuses)
    .optional()
    .meta({ description: 'Only deliveries with this status.', examples: ['failed'] }),
  subscriptionId: nonEmptyText(64)
    .optional()
    .meta({ description: 'Only deliveries to the endpoint with this id.', examples: [ENDPOINT_ID] }),
  type: eventTypeName
    .optional()
    .meta({ description: 'Only deliveries of this event type.', examples: ['link.created'] }),
  cursor: pageCursor,
  limit: pageSize(100, 20),
});
