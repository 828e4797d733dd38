// Original file: workspaces.proto


export interface FinishLoginRequest {
  'callbackUrl'?: (string);
  'browserSecret'?: (string);
}

export interface FinishLoginRequest__Output {
  'callbackUrl': (string);
  'browserSecret': (string);
}
