// Original file: workspaces.proto


export interface AuthenticatedUser {
  'userId'?: (string);
  'email'?: (string);
  'name'?: (string);
  'credentialKind'?: (string);
  'expiresAt'?: (string);
  'workspaceId'?: (string);
  'workspaceName'?: (string);
  'role'?: (string);
  'plan'?: (string);
  '_workspaceId'?: "workspaceId";
}

export interface AuthenticatedUser__Output {
  'userId': (string);
  'email': (string);
  'name': (string);
  'credentialKind': (string);
  'expiresAt': (string);
  'workspaceId'?: (string);
  'workspaceName': (string);
  'role': (string);
  'plan': (string);
  '_workspaceId'?: "workspaceId";
}
