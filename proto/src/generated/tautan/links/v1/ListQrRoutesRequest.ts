// Original file: qr-routes.proto


export interface ListQrRoutesRequest {
  'qrCodeIds'?: (string)[];
}

export interface ListQrRoutesRequest__Output {
  'qrCodeIds': (string)[];
}
