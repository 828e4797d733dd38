// Original file: workspaces.proto


export interface RevokeOtherSessionsRequest {
  'credential'?: (string);
}

export interface RevokeOtherSessionsRequest__Output {
  'credential': (string);
}
