// Original file: qr.proto


export interface PreviewQrCodeRequest {
  'id'?: (string);
  'styleConfig'?: (string);
  'logoRunRef'?: (string);
  'format'?: (string);
  'size'?: (number);
  'knownEtag'?: (string);
  '_id'?: "id";
  '_styleConfig'?: "styleConfig";
  '_logoRunRef'?: "logoRunRef";
  '_format'?: "format";
  '_size'?: "size";
  '_knownEtag'?: "knownEtag";
}

export interface PreviewQrCodeRequest__Output {
  'id'?: (string);
  'styleConfig'?: (string);
  'logoRunRef'?: (string);
  'format'?: (string);
  'size'?: (number);
  'knownEtag'?: (string);
  '_id'?: "id";
  '_styleConfig'?: "styleConfig";
  '_logoRunRef'?: "logoRunRef";
  '_format'?: "format";
  '_size'?: "size";
  '_knownEtag'?: "knownEtag";
}
