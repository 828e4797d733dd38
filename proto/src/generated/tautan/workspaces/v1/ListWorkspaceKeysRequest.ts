// Original file: workspaces.proto


export interface ListWorkspaceKeysRequest {
  'workspaceId'?: (string);
}

export interface ListWorkspaceKeysRequest__Output {
  'workspaceId': (string);
}
