// Original file: qr-routes.proto


export interface QrTagNames {
  'names'?: (string)[];
}

export interface QrTagNames__Output {
  'names': (string)[];
}
