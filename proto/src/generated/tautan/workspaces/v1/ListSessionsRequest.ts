// Original file: workspaces.proto


export interface ListSessionsRequest {
  'credential'?: (string);
}

export interface ListSessionsRequest__Output {
  'credential': (string);
}
