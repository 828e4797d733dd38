// Original file: workspaces.proto


export interface SwitchWorkspaceRequest {
  'workspaceId'?: (string);
}

export interface SwitchWorkspaceRequest__Output {
  'workspaceId': (string);
}
