// Original file: qr.proto


export interface DownloadToken {
  'token'?: (string);
  'url'?: (string);
  'expiresAt'?: (string);
}

export interface DownloadToken__Output {
  'token': (string);
  'url': (string);
  'expiresAt': (string);
}
