// Original file: webhooks.proto


export interface RetryDeliveryRequest {
  'id'?: (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface RetryDeliveryRequest__Output {
  'id': (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
