// Original file: workspaces.proto


export interface BeginLoginRequest {
  'returnTo'?: (string);
  'redirectUri'?: (string);
}

export interface BeginLoginRequest__Output {
  'returnTo': (string);
  'redirectUri': (string);
}
