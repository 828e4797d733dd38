// Original file: qr.proto


export interface UploadLogoRequest {
  'content'?: (Buffer | Uint8Array | string);
}

export interface UploadLogoRequest__Output {
  'content': (Buffer);
}
