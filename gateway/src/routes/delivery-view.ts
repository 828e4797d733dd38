import {
  deliverySummaryRecord,
  type DeliveryMessage,
  type DeliveryRecord,
  type DeliverySummaryRecord,
} from '@tautan/proto';
import { wireFields } from './wire-fields.js';

/** Returns the summary record of a delivery, for lists. */
export const deliverySummaryView: (delivery: DeliveryMessage) => DeliverySummaryRecord =
  wireFields(deliverySummaryRecord);

/** Returns the record of a delivery with its attempts. */
export const deliveryView = (delivery: DeliveryMessage): DeliveryRecord => ({
  ...deliverySummaryView(delivery),
  // An empty body means that the service withheld the body: no delivery has an empty one.
  body: delivery.body || null,
  attemptLog: delivery.attemptLog.map(({ n, at, durationMs, statusCode, error, responseSnippet }) => ({
    n,
    at,
    durationMs,
    statusCode: statusCode ?? null,
    error: error ?? null,
    responseSnippet: responseSnippet ?? null,
  })),
});
