// Original file: workspaces.proto


export interface ListAllWorkspacesRequest {
  'after'?: (string);
  'limit'?: (number);
}

export interface ListAllWorkspacesRequest__Output {
  'after': (string);
  'limit': (number);
}
