// Original file: qr.proto


export interface Image {
  'contentType'?: (string);
  'etag'?: (string);
  'content'?: (Buffer | Uint8Array | string);
  'filename'?: (string);
  'notModified'?: (boolean);
}

export interface Image__Output {
  'contentType': (string);
  'etag': (string);
  'content': (Buffer);
  'filename': (string);
  'notModified': (boolean);
}
