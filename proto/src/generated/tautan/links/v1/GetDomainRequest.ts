// Original file: domains.proto


export interface GetDomainRequest {
  'id'?: (string);
}

export interface GetDomainRequest__Output {
  'id': (string);
}
