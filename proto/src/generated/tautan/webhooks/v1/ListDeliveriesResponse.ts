// Original file: webhooks.proto

import type { Delivery as _tautan_webhooks_v1_Delivery, Delivery__Output as _tautan_webhooks_v1_Delivery__Output } from '../../../tautan/webhooks/v1/Delivery.js';

export interface ListDeliveriesResponse {
  'deliveries'?: (_tautan_webhooks_v1_Delivery)[];
  'nextCursor'?: (string);
  '_nextCursor'?: "nextCursor";
}

export interface ListDeliveriesResponse__Output {
  'deliveries': (_tautan_webhooks_v1_Delivery__Output)[];
  'nextCursor'?: (string);
  '_nextCursor'?: "nextCursor";
}
