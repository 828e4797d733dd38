// Original file: webhooks.proto


export interface RotateSecretRequest {
  'id'?: (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface RotateSecretRequest__Output {
  'id': (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
