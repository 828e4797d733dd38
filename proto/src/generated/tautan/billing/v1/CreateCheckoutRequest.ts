// Original file: billing.proto


export interface CreateCheckoutRequest {
  'plan'?: (string);
  'currency'?: (string);
  'operationId'?: (string);
  '_currency'?: "currency";
  '_operationId'?: "operationId";
}

export interface CreateCheckoutRequest__Output {
  'plan': (string);
  'currency'?: (string);
  'operationId'?: (string);
  '_currency'?: "currency";
  '_operationId'?: "operationId";
}
