// Original file: workspaces.proto


export interface MintApiKeyRequest {
  'workspaceId'?: (string);
  'label'?: (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface MintApiKeyRequest__Output {
  'workspaceId': (string);
  'label': (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
