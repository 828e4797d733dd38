// Original file: workspaces.proto


export interface ApiKey {
  'id'?: (string);
  'label'?: (string);
  'prefix'?: (string);
  'lastUsedAt'?: (string);
  'createdByType'?: (string);
  'createdById'?: (string);
  'createdAt'?: (string);
  '_lastUsedAt'?: "lastUsedAt";
  '_createdById'?: "createdById";
}

export interface ApiKey__Output {
  'id': (string);
  'label': (string);
  'prefix': (string);
  'lastUsedAt'?: (string);
  'createdByType': (string);
  'createdById'?: (string);
  'createdAt': (string);
  '_lastUsedAt'?: "lastUsedAt";
  '_createdById'?: "createdById";
}
