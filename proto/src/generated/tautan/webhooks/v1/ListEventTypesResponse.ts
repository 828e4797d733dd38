// Original file: webhooks.proto

import type { EventType as _tautan_webhooks_v1_EventType, EventType__Output as _tautan_webhooks_v1_EventType__Output } from '../../../tautan/webhooks/v1/EventType.js';

export interface ListEventTypesResponse {
  'eventTypes'?: (_tautan_webhooks_v1_EventType)[];
}

export interface ListEventTypesResponse__Output {
  'eventTypes': (_tautan_webhooks_v1_EventType__Output)[];
}
