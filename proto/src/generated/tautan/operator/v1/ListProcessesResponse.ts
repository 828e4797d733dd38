// Original file: operator.proto

import type { Process as _tautan_operator_v1_Process, Process__Output as _tautan_operator_v1_Process__Output } from '../../../tautan/operator/v1/Process.js';

export interface ListProcessesResponse {
  'processes'?: (_tautan_operator_v1_Process)[];
  'complete'?: (boolean);
}

export interface ListProcessesResponse__Output {
  'processes': (_tautan_operator_v1_Process__Output)[];
  'complete': (boolean);
}
