// Original file: workspaces.proto


export interface RevokeSessionResponse {
  'id'?: (string);
}

export interface RevokeSessionResponse__Output {
  'id': (string);
}
