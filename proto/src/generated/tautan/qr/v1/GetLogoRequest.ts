// Original file: qr.proto


export interface GetLogoRequest {
  'logoRunRef'?: (string);
  'knownEtag'?: (string);
  '_knownEtag'?: "knownEtag";
}

export interface GetLogoRequest__Output {
  'logoRunRef': (string);
  'knownEtag'?: (string);
  '_knownEtag'?: "knownEtag";
}
