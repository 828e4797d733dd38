// Original file: operator.proto

import type { DeadLetter as _tautan_operator_v1_DeadLetter, DeadLetter__Output as _tautan_operator_v1_DeadLetter__Output } from '../../../tautan/operator/v1/DeadLetter.js';

export interface ListDeadLettersResponse {
  'deadLetters'?: (_tautan_operator_v1_DeadLetter)[];
  'hasMore'?: (boolean);
}

export interface ListDeadLettersResponse__Output {
  'deadLetters': (_tautan_operator_v1_DeadLetter__Output)[];
  'hasMore': (boolean);
}
