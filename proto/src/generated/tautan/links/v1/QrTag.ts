// Original file: qr-routes.proto


export interface QrTag {
  'id'?: (string);
  'name'?: (string);
}

export interface QrTag__Output {
  'id': (string);
  'name': (string);
}
