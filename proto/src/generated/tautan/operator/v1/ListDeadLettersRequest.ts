// Original file: operator.proto


export interface ListDeadLettersRequest {
  'after'?: (string);
  'limit'?: (number);
}

export interface ListDeadLettersRequest__Output {
  'after': (string);
  'limit': (number);
}
