// Original file: workspaces.proto


export interface VerifiedApiKey {
  'id'?: (string);
  'label'?: (string);
  'workspaceId'?: (string);
  'plan'?: (string);
}

export interface VerifiedApiKey__Output {
  'id': (string);
  'label': (string);
  'workspaceId': (string);
  'plan': (string);
}
