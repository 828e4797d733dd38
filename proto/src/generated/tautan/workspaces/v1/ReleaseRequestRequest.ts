// Original file: workspaces.proto


export interface ReleaseRequestRequest {
  'key'?: (string);
  'operationId'?: (string);
}

export interface ReleaseRequestRequest__Output {
  'key': (string);
  'operationId': (string);
}
