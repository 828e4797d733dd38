// Original file: workspaces.proto


export interface ListWorkspacesRequest {
  'credential'?: (string);
}

export interface ListWorkspacesRequest__Output {
  'credential': (string);
}
