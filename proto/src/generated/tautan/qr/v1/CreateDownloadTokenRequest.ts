// Original file: qr.proto


export interface CreateDownloadTokenRequest {
  'id'?: (string);
}

export interface CreateDownloadTokenRequest__Output {
  'id': (string);
}
