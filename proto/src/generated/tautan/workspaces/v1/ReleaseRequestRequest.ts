// Original file: workspaces.proto


export interface ReleaseRequestRequest {
  'key'?: (string);
  'claimId'?: (string);
}

export interface ReleaseRequestRequest__Output {
  'key': (string);
  'claimId': (string);
}
