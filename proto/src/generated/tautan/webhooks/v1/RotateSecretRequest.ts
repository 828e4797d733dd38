// Original file: webhooks.proto


export interface RotateSecretRequest {
  'id'?: (string);
}

export interface RotateSecretRequest__Output {
  'id': (string);
}
