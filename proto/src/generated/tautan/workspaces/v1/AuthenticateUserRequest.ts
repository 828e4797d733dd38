// Original file: workspaces.proto


export interface AuthenticateUserRequest {
  'credential'?: (string);
  'workspaceId'?: (string);
}

export interface AuthenticateUserRequest__Output {
  'credential': (string);
  'workspaceId': (string);
}
