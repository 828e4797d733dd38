// Original file: billing.proto


export interface ReceiveProviderWebhookResponse {
}

export interface ReceiveProviderWebhookResponse__Output {
}
