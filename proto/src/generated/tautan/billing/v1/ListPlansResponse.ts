// Original file: billing.proto

import type { Plan as _tautan_billing_v1_Plan, Plan__Output as _tautan_billing_v1_Plan__Output } from '../../../tautan/billing/v1/Plan.js';

export interface ListPlansResponse {
  'plans'?: (_tautan_billing_v1_Plan)[];
}

export interface ListPlansResponse__Output {
  'plans': (_tautan_billing_v1_Plan__Output)[];
}
