// Original file: workspaces.proto


export interface WorkspaceOwner {
  'email'?: (string);
  'status'?: (string);
}

export interface WorkspaceOwner__Output {
  'email': (string);
  'status': (string);
}
