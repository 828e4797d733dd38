// Original file: qr.proto


export interface DeleteQrCodeRequest {
  'id'?: (string);
}

export interface DeleteQrCodeRequest__Output {
  'id': (string);
}
