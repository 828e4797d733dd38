// Original file: billing.proto


export interface CheckoutState {
  'status'?: (string);
  'plan'?: (string);
  'applied'?: (boolean);
  '_plan'?: "plan";
}

export interface CheckoutState__Output {
  'status': (string);
  'plan'?: (string);
  'applied': (boolean);
  '_plan'?: "plan";
}
