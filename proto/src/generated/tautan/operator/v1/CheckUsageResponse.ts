// Original file: operator.proto

import type { UsageDrift as _tautan_operator_v1_UsageDrift, UsageDrift__Output as _tautan_operator_v1_UsageDrift__Output } from '../../../tautan/operator/v1/UsageDrift.js';

export interface CheckUsageResponse {
  'drifts'?: (_tautan_operator_v1_UsageDrift)[];
  'checked'?: (number);
  'next'?: (string);
}

export interface CheckUsageResponse__Output {
  'drifts': (_tautan_operator_v1_UsageDrift__Output)[];
  'checked': (number);
  'next': (string);
}
