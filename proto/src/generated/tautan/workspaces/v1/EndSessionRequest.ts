// Original file: workspaces.proto


export interface EndSessionRequest {
  'secret'?: (string);
}

export interface EndSessionRequest__Output {
  'secret': (string);
}
