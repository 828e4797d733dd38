// Original file: domains.proto


export interface DeleteDomainRequest {
  'id'?: (string);
}

export interface DeleteDomainRequest__Output {
  'id': (string);
}
