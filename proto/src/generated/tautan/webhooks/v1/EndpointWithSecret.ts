// Original file: webhooks.proto

import type { Endpoint as _tautan_webhooks_v1_Endpoint, Endpoint__Output as _tautan_webhooks_v1_Endpoint__Output } from '../../../tautan/webhooks/v1/Endpoint.js';

export interface EndpointWithSecret {
  'endpoint'?: (_tautan_webhooks_v1_Endpoint | null);
  'secret'?: (string);
}

export interface EndpointWithSecret__Output {
  'endpoint': (_tautan_webhooks_v1_Endpoint__Output | null);
  'secret': (string);
}
