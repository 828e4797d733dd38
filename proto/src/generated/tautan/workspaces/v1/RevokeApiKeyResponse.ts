// Original file: workspaces.proto


export interface RevokeApiKeyResponse {
  'id'?: (string);
}

export interface RevokeApiKeyResponse__Output {
  'id': (string);
}
