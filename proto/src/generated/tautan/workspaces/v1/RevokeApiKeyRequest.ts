// Original file: workspaces.proto


export interface RevokeApiKeyRequest {
  'workspaceId'?: (string);
  'id'?: (string);
}

export interface RevokeApiKeyRequest__Output {
  'workspaceId': (string);
  'id': (string);
}
