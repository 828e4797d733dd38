// Original file: billing.proto


export interface CancelSubscriptionRequest {
}

export interface CancelSubscriptionRequest__Output {
}
