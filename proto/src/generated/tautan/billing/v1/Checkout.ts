// Original file: billing.proto


export interface Checkout {
  'checkoutUrl'?: (string);
  'sessionId'?: (string);
  'expiresAt'?: (string);
}

export interface Checkout__Output {
  'checkoutUrl': (string);
  'sessionId': (string);
  'expiresAt': (string);
}
