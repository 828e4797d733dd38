// Original file: domains.proto


export interface DeleteDomainResponse {
  'id'?: (string);
}

export interface DeleteDomainResponse__Output {
  'id': (string);
}
