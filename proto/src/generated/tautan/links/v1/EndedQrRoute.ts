// Original file: qr-routes.proto


export interface EndedQrRoute {
  'qrCodeId'?: (string);
  'workspaceId'?: (string);
}

export interface EndedQrRoute__Output {
  'qrCodeId': (string);
  'workspaceId': (string);
}
