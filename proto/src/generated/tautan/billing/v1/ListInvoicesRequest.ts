// Original file: billing.proto


export interface ListInvoicesRequest {
  'limit'?: (number);
  'cursor'?: (string);
  '_cursor'?: "cursor";
}

export interface ListInvoicesRequest__Output {
  'limit': (number);
  'cursor'?: (string);
  '_cursor'?: "cursor";
}
