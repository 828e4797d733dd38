// Original file: workspaces.proto


export interface Workspace {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'createdAt'?: (string);
}

export interface Workspace__Output {
  'id': (string);
  'name': (string);
  'plan': (string);
  'createdAt': (string);
}
