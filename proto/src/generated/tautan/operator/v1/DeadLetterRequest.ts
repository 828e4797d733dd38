// Original file: operator.proto


export interface DeadLetterRequest {
  'id'?: (string);
}

export interface DeadLetterRequest__Output {
  'id': (string);
}
