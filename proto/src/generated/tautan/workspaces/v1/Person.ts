// Original file: workspaces.proto


export interface Person {
  'userId'?: (string);
  'email'?: (string);
  'name'?: (string);
  'credential'?: (string);
  'expiresAt'?: (string);
  'workspaceId'?: (string);
  'workspaceName'?: (string);
  'role'?: (string);
  'plan'?: (string);
  '_workspaceId'?: "workspaceId";
}

export interface Person__Output {
  'userId': (string);
  'email': (string);
  'name': (string);
  'credential': (string);
  'expiresAt': (string);
  'workspaceId'?: (string);
  'workspaceName': (string);
  'role': (string);
  'plan': (string);
  '_workspaceId'?: "workspaceId";
}
