// Original file: links.proto


export interface Creator {
  'type'?: (string);
  'id'?: (string);
}

export interface Creator__Output {
  'type': (string);
  'id': (string);
}
