// Original file: webhooks.proto

import type { Attempt as _tautan_webhooks_v1_Attempt, Attempt__Output as _tautan_webhooks_v1_Attempt__Output } from '../../../tautan/webhooks/v1/Attempt.js';

export interface Delivery {
  'id'?: (string);
  'subscriptionId'?: (string);
  'eventId'?: (string);
  'type'?: (string);
  'status'?: (string);
  'attempts'?: (number);
  'nextRetryAt'?: (string);
  'body'?: (string);
  'attemptLog'?: (_tautan_webhooks_v1_Attempt)[];
  'createdAt'?: (string);
  'completedAt'?: (string);
  '_nextRetryAt'?: "nextRetryAt";
  '_completedAt'?: "completedAt";
}

export interface Delivery__Output {
  'id': (string);
  'subscriptionId': (string);
  'eventId': (string);
  'type': (string);
  'status': (string);
  'attempts': (number);
  'nextRetryAt'?: (string);
  'body': (string);
  'attemptLog': (_tautan_webhooks_v1_Attempt__Output)[];
  'createdAt': (string);
  'completedAt'?: (string);
  '_nextRetryAt'?: "nextRetryAt";
  '_completedAt'?: "completedAt";
}
