// Original file: domains.proto


export interface VerifyDomainRequest {
  'id'?: (string);
}

export interface VerifyDomainRequest__Output {
  'id': (string);
}
