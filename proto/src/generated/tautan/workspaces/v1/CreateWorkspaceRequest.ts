// Original file: workspaces.proto


export interface CreateWorkspaceRequest {
  'name'?: (string);
  'plan'?: (string);
  'externalId'?: (string);
  'ownerEmail'?: (string);
}

export interface CreateWorkspaceRequest__Output {
  'name': (string);
  'plan': (string);
  'externalId': (string);
  'ownerEmail': (string);
}
