// Original file: billing.proto


export interface GetCheckoutRequest {
  'sessionId'?: (string);
}

export interface GetCheckoutRequest__Output {
  'sessionId': (string);
}
