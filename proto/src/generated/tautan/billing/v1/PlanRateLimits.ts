// Original file: billing.proto

import type { Long } from '@grpc/proto-loader';

export interface PlanRateLimits {
  'read'?: (number | string | Long);
  'write'?: (number | string | Long);
}

export interface PlanRateLimits__Output {
  'read': (number);
  'write': (number);
}
