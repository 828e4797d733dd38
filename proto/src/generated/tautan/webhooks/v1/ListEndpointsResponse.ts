// Original file: webhooks.proto

import type { Endpoint as _tautan_webhooks_v1_Endpoint, Endpoint__Output as _tautan_webhooks_v1_Endpoint__Output } from '../../../tautan/webhooks/v1/Endpoint.js';

export interface ListEndpointsResponse {
  'endpoints'?: (_tautan_webhooks_v1_Endpoint)[];
}

export interface ListEndpointsResponse__Output {
  'endpoints': (_tautan_webhooks_v1_Endpoint__Output)[];
}
