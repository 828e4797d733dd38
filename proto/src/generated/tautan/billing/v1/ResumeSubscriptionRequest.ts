// Original file: billing.proto


export interface ResumeSubscriptionRequest {
}

export interface ResumeSubscriptionRequest__Output {
}
