// Original file: webhooks.proto

import type { EventList as _tautan_webhooks_v1_EventList, EventList__Output as _tautan_webhooks_v1_EventList__Output } from '../../../tautan/webhooks/v1/EventList.js';

export interface UpdateEndpointRequest {
  'id'?: (string);
  'url'?: (string);
  'events'?: (_tautan_webhooks_v1_EventList | null);
  'active'?: (boolean);
  '_url'?: "url";
  '_active'?: "active";
}

export interface UpdateEndpointRequest__Output {
  'id': (string);
  'url'?: (string);
  'events': (_tautan_webhooks_v1_EventList__Output | null);
  'active'?: (boolean);
  '_url'?: "url";
  '_active'?: "active";
}
