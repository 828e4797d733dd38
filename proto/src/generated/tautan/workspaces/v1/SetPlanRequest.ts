// Original file: workspaces.proto


export interface SetPlanRequest {
  'workspaceId'?: (string);
  'plan'?: (string);
}

export interface SetPlanRequest__Output {
  'workspaceId': (string);
  'plan': (string);
}
