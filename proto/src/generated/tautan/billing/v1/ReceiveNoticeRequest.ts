// Original file: billing.proto


export interface ReceiveNoticeRequest {
  'payload'?: (Buffer | Uint8Array | string);
  'signature'?: (string);
}

export interface ReceiveNoticeRequest__Output {
  'payload': (Buffer);
  'signature': (string);
}
