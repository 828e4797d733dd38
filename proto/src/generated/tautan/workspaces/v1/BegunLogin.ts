// Original file: workspaces.proto


export interface BegunLogin {
  'authorizationUrl'?: (string);
  'browserSecret'?: (string);
}

export interface BegunLogin__Output {
  'authorizationUrl': (string);
  'browserSecret': (string);
}
