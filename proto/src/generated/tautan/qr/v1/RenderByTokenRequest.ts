// Original file: qr.proto


export interface RenderByTokenRequest {
  'token'?: (string);
  'format'?: (string);
  'size'?: (number);
  'knownEtag'?: (string);
  'id'?: (string);
  '_id'?: "id";
  '_format'?: "format";
  '_size'?: "size";
  '_knownEtag'?: "knownEtag";
}

export interface RenderByTokenRequest__Output {
  'token': (string);
  'format'?: (string);
  'size'?: (number);
  'knownEtag'?: (string);
  'id'?: (string);
  '_id'?: "id";
  '_format'?: "format";
  '_size'?: "size";
  '_knownEtag'?: "knownEtag";
}
