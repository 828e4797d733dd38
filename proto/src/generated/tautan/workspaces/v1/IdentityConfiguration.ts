// Original file: workspaces.proto


export interface IdentityConfiguration {
  'issuer'?: (string);
  'deviceAuthorizationEndpoint'?: (string);
  'tokenEndpoint'?: (string);
  'deviceClientId'?: (string);
  'scope'?: (string);
  'audience'?: (string);
}

export interface IdentityConfiguration__Output {
  'issuer': (string);
  'deviceAuthorizationEndpoint': (string);
  'tokenEndpoint': (string);
  'deviceClientId': (string);
  'scope': (string);
  'audience': (string);
}
