// Original file: operator.proto


export interface CheckUsageRequest {
  'workspaceId'?: (string);
  'repair'?: (boolean);
  'after'?: (string);
}

export interface CheckUsageRequest__Output {
  'workspaceId': (string);
  'repair': (boolean);
  'after': (string);
}
