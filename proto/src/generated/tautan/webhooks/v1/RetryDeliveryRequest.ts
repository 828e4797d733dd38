// Original file: webhooks.proto


export interface RetryDeliveryRequest {
  'id'?: (string);
}

export interface RetryDeliveryRequest__Output {
  'id': (string);
}
