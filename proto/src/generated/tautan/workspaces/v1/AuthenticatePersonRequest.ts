// Original file: workspaces.proto


export interface AuthenticatePersonRequest {
  'credential'?: (string);
  'workspaceId'?: (string);
}

export interface AuthenticatePersonRequest__Output {
  'credential': (string);
  'workspaceId': (string);
}
