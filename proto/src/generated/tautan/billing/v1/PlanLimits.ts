// Original file: billing.proto

import type { Long } from '@grpc/proto-loader';

export interface PlanLimits {
  'links'?: (number | string | Long);
  'qrCodes'?: (number | string | Long);
  'domains'?: (number | string | Long);
  'members'?: (number | string | Long);
  'webhookEndpoints'?: (number | string | Long);
  'clicks'?: (number | string | Long);
  'analyticsRetentionDays'?: (number | string | Long);
}

export interface PlanLimits__Output {
  'links': (number);
  'qrCodes': (number);
  'domains': (number);
  'members': (number);
  'webhookEndpoints': (number);
  'clicks': (number);
  'analyticsRetentionDays': (number);
}
