// Original file: billing.proto


export interface DowngradeSubscriptionRequest {
  'plan'?: (string);
}

export interface DowngradeSubscriptionRequest__Output {
  'plan': (string);
}
