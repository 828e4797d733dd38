// Original file: qr.proto


export interface TagNames {
  'names'?: (string)[];
}

export interface TagNames__Output {
  'names': (string)[];
}
