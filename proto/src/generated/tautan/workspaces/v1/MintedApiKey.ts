// Original file: workspaces.proto


export interface MintedApiKey {
  'id'?: (string);
  'label'?: (string);
  'prefix'?: (string);
  'key'?: (string);
  'createdAt'?: (string);
}

export interface MintedApiKey__Output {
  'id': (string);
  'label': (string);
  'prefix': (string);
  'key': (string);
  'createdAt': (string);
}
