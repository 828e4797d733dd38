// Original file: workspaces.proto


export interface SignInClient {
  'ip'?: (string);
  'userAgent'?: (string);
}

export interface SignInClient__Output {
  'ip': (string);
  'userAgent': (string);
}
