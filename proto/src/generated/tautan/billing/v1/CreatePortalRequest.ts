// Original file: billing.proto


export interface CreatePortalRequest {
  'returnUrl'?: (string);
  '_returnUrl'?: "returnUrl";
}

export interface CreatePortalRequest__Output {
  'returnUrl'?: (string);
  '_returnUrl'?: "returnUrl";
}
