// Original file: workspaces.proto


export interface SignUpRequest {
  'email'?: (string);
  'password'?: (string);
  'name'?: (string);
}

export interface SignUpRequest__Output {
  'email': (string);
  'password': (string);
  'name': (string);
}
