// Original file: workspaces.proto


export interface ForgotPasswordRequest {
  'email'?: (string);
}

export interface ForgotPasswordRequest__Output {
  'email': (string);
}
