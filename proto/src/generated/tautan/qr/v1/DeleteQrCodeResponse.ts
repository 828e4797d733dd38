// Original file: qr.proto


export interface DeleteQrCodeResponse {
  'id'?: (string);
}

export interface DeleteQrCodeResponse__Output {
  'id': (string);
}
