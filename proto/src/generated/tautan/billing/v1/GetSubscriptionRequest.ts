// Original file: billing.proto


export interface GetSubscriptionRequest {
}

export interface GetSubscriptionRequest__Output {
}
