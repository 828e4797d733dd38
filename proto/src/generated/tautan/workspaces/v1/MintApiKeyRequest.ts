// Original file: workspaces.proto


export interface MintApiKeyRequest {
  'workspaceId'?: (string);
  'label'?: (string);
}

export interface MintApiKeyRequest__Output {
  'workspaceId': (string);
  'label': (string);
}
