// Original file: qr-routes.proto


export interface RemoveQrRouteResponse {
  'qrCodeId'?: (string);
}

export interface RemoveQrRouteResponse__Output {
  'qrCodeId': (string);
}
