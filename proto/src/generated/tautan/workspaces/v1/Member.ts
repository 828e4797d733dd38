// Original file: workspaces.proto


export interface Member {
  'id'?: (string);
  'userId'?: (string);
  'email'?: (string);
  'name'?: (string);
  'role'?: (string);
  'status'?: (string);
  'joinedAt'?: (string);
  '_userId'?: "userId";
  '_joinedAt'?: "joinedAt";
}

export interface Member__Output {
  'id': (string);
  'userId'?: (string);
  'email': (string);
  'name': (string);
  'role': (string);
  'status': (string);
  'joinedAt'?: (string);
  '_userId'?: "userId";
  '_joinedAt'?: "joinedAt";
}
