// Original file: webhooks.proto


export interface GetDeliveryRequest {
  'id'?: (string);
}

export interface GetDeliveryRequest__Output {
  'id': (string);
}
