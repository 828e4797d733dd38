// Original file: billing.proto


export interface CreateCheckoutRequest {
  'plan'?: (string);
  'currency'?: (string);
  'operationId'?: (string);
  'returnUrl'?: (string);
  '_currency'?: "currency";
  '_operationId'?: "operationId";
  '_returnUrl'?: "returnUrl";
}

export interface CreateCheckoutRequest__Output {
  'plan': (string);
  'currency'?: (string);
  'operationId'?: (string);
  'returnUrl'?: (string);
  '_currency'?: "currency";
  '_operationId'?: "operationId";
  '_returnUrl'?: "returnUrl";
}
