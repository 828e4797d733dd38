// Original file: billing.proto


export interface CreatePortalRequest {
  'returnUrl'?: (string);
  'operationId'?: (string);
  '_returnUrl'?: "returnUrl";
  '_operationId'?: "operationId";
}

export interface CreatePortalRequest__Output {
  'returnUrl'?: (string);
  'operationId'?: (string);
  '_returnUrl'?: "returnUrl";
  '_operationId'?: "operationId";
}
