// Original file: operator.proto


export interface RenewEncryptionResponse {
  'checked'?: (number);
  'renewed'?: (number);
  'unreadable'?: (string)[];
  'next'?: (string);
}

export interface RenewEncryptionResponse__Output {
  'checked': (number);
  'renewed': (number);
  'unreadable': (string)[];
  'next': (string);
}
