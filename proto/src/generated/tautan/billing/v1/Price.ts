// Original file: billing.proto


export interface Price {
  'amount'?: (number | string);
  'currency'?: (string);
}

export interface Price__Output {
  'amount': (number);
  'currency': (string);
}
