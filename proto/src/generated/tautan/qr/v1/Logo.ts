// Original file: qr.proto


export interface Logo {
  'logoRunRef'?: (string);
  'url'?: (string);
  'width'?: (number);
  'height'?: (number);
  'bytes'?: (number);
}

export interface Logo__Output {
  'logoRunRef': (string);
  'url': (string);
  'width': (number);
  'height': (number);
  'bytes': (number);
}
