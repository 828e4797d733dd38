// Original file: workspaces.proto


export interface SwitchWorkspaceRequest {
  'credential'?: (string);
  'workspaceId'?: (string);
}

export interface SwitchWorkspaceRequest__Output {
  'credential': (string);
  'workspaceId': (string);
}
