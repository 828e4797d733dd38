// Original file: billing.proto

import type { Price as _tautan_billing_v1_Price, Price__Output as _tautan_billing_v1_Price__Output } from '../../../tautan/billing/v1/Price.js';
import type { PlanLimits as _tautan_billing_v1_PlanLimits, PlanLimits__Output as _tautan_billing_v1_PlanLimits__Output } from '../../../tautan/billing/v1/PlanLimits.js';
import type { PlanRateLimits as _tautan_billing_v1_PlanRateLimits, PlanRateLimits__Output as _tautan_billing_v1_PlanRateLimits__Output } from '../../../tautan/billing/v1/PlanRateLimits.js';

export interface Plan {
  'name'?: (string);
  'price'?: (_tautan_billing_v1_Price | null);
  'interval'?: (string);
  'limits'?: (_tautan_billing_v1_PlanLimits | null);
  'qrLogoEnabled'?: (boolean);
  'rateLimits'?: (_tautan_billing_v1_PlanRateLimits | null);
}

export interface Plan__Output {
  'name': (string);
  'price': (_tautan_billing_v1_Price__Output | null);
  'interval': (string);
  'limits': (_tautan_billing_v1_PlanLimits__Output | null);
  'qrLogoEnabled': (boolean);
  'rateLimits': (_tautan_billing_v1_PlanRateLimits__Output | null);
}
