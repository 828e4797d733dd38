// Original file: operator.proto


export interface RenewEncryptionRequest {
  'after'?: (string);
}

export interface RenewEncryptionRequest__Output {
  'after': (string);
}
