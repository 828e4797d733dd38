// Original file: operator.proto

import type { ConnectionState as _tautan_operator_v1_ConnectionState, ConnectionState__Output as _tautan_operator_v1_ConnectionState__Output } from '../../../tautan/operator/v1/ConnectionState.js';

export interface Process {
  'service'?: (string);
  'host'?: (string);
  'pid'?: (number);
  'version'?: (string);
  'node'?: (string);
  'startedAt'?: (string);
  'connections'?: (_tautan_operator_v1_ConnectionState)[];
  'calls'?: (string)[];
}

export interface Process__Output {
  'service': (string);
  'host': (string);
  'pid': (number);
  'version': (string);
  'node': (string);
  'startedAt': (string);
  'connections': (_tautan_operator_v1_ConnectionState__Output)[];
  'calls': (string)[];
}
