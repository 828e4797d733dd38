// Original file: qr.proto


export interface QrCreator {
  'type'?: (string);
  'id'?: (string);
}

export interface QrCreator__Output {
  'type': (string);
  'id': (string);
}
