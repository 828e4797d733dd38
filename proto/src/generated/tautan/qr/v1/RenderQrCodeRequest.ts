// Original file: qr.proto


export interface RenderQrCodeRequest {
  'id'?: (string);
  'format'?: (string);
  'size'?: (number);
  'knownEtag'?: (string);
  '_format'?: "format";
  '_size'?: "size";
  '_knownEtag'?: "knownEtag";
}

export interface RenderQrCodeRequest__Output {
  'id': (string);
  'format'?: (string);
  'size'?: (number);
  'knownEtag'?: (string);
  '_format'?: "format";
  '_size'?: "size";
  '_knownEtag'?: "knownEtag";
}
