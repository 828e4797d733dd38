// Original file: operator.proto


export interface UsageDrift {
  'workspaceId'?: (string);
  'limit'?: (string);
  'month'?: (string);
  'drift'?: (number);
  '_month'?: "month";
}

export interface UsageDrift__Output {
  'workspaceId': (string);
  'limit': (string);
  'month'?: (string);
  'drift': (number);
  '_month'?: "month";
}
