// Original file: workspaces.proto


export interface Workspace {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'createdAt'?: (string);
  'role'?: (string);
  'linkCount'?: (number);
  'qrCodeCount'?: (number);
  'memberCount'?: (number);
  'current'?: (boolean);
}

export interface Workspace__Output {
  'id': (string);
  'name': (string);
  'plan': (string);
  'createdAt': (string);
  'role': (string);
  'linkCount': (number);
  'qrCodeCount': (number);
  'memberCount': (number);
  'current': (boolean);
}
