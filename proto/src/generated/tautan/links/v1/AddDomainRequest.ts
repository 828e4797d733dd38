// Original file: domains.proto


export interface AddDomainRequest {
  'domain'?: (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface AddDomainRequest__Output {
  'domain': (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
