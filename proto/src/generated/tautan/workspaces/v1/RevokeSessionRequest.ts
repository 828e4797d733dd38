// Original file: workspaces.proto


export interface RevokeSessionRequest {
  'id'?: (string);
}

export interface RevokeSessionRequest__Output {
  'id': (string);
}
