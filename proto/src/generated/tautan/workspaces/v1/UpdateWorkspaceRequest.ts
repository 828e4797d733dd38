// Original file: workspaces.proto


export interface UpdateWorkspaceRequest {
  'credential'?: (string);
  'name'?: (string);
}

export interface UpdateWorkspaceRequest__Output {
  'credential': (string);
  'name': (string);
}
