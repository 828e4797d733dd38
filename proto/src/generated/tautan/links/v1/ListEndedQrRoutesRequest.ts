// Original file: qr-routes.proto


export interface ListEndedQrRoutesRequest {
  'limit'?: (number);
}

export interface ListEndedQrRoutesRequest__Output {
  'limit': (number);
}
