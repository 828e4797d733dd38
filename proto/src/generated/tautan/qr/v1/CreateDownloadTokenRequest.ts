// Original file: qr.proto


export interface CreateDownloadTokenRequest {
  'id'?: (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface CreateDownloadTokenRequest__Output {
  'id': (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
