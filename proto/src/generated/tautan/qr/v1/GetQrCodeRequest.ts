// Original file: qr.proto


export interface GetQrCodeRequest {
  'id'?: (string);
}

export interface GetQrCodeRequest__Output {
  'id': (string);
}
