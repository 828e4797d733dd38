// Original file: qr-routes.proto


export interface RemoveQrRouteRequest {
  'qrCodeId'?: (string);
}

export interface RemoveQrRouteRequest__Output {
  'qrCodeId': (string);
}
