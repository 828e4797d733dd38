// Original file: workspaces.proto


export interface RefreshSessionRequest {
  'secret'?: (string);
}

export interface RefreshSessionRequest__Output {
  'secret': (string);
}
