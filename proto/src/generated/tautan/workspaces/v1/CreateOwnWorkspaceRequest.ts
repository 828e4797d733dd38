// Original file: workspaces.proto


export interface CreateOwnWorkspaceRequest {
  'credential'?: (string);
  'name'?: (string);
}

export interface CreateOwnWorkspaceRequest__Output {
  'credential': (string);
  'name': (string);
}
