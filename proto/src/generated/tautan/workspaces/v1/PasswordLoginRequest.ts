// Original file: workspaces.proto


export interface PasswordLoginRequest {
  'email'?: (string);
  'password'?: (string);
}

export interface PasswordLoginRequest__Output {
  'email': (string);
  'password': (string);
}
