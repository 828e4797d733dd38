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
  '_links'?: "links";
  '_qrCodes'?: "qrCodes";
  '_domains'?: "domains";
  '_members'?: "members";
  '_webhookEndpoints'?: "webhookEndpoints";
  '_clicks'?: "clicks";
  '_analyticsRetentionDays'?: "analyticsRetentionDays";
}

export interface PlanLimits__Output {
  'links'?: (number);
  'qrCodes'?: (number);
  'domains'?: (number);
  'members'?: (number);
  'webhookEndpoints'?: (number);
  'clicks'?: (number);
  'analyticsRetentionDays'?: (number);
  '_links'?: "links";
  '_qrCodes'?: "qrCodes";
  '_domains'?: "domains";
  '_members'?: "members";
  '_webhookEndpoints'?: "webhookEndpoints";
  '_clicks'?: "clicks";
  '_analyticsRetentionDays'?: "analyticsRetentionDays";
}
