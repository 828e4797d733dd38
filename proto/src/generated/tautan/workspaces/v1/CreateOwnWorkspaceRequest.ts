// Original file: workspaces.proto


export interface CreateOwnWorkspaceRequest {
  'credential'?: (string);
  'name'?: (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface CreateOwnWorkspaceRequest__Output {
  'credential': (string);
  'name': (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
