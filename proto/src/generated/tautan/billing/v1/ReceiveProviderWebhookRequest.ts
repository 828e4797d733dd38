// Original file: billing.proto


export interface ReceiveProviderWebhookRequest {
  'payload'?: (Buffer | Uint8Array | string);
  'signature'?: (string);
}

export interface ReceiveProviderWebhookRequest__Output {
  'payload': (Buffer);
  'signature': (string);
}
