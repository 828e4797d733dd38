// Original file: workspaces.proto


export interface RenewRequestsRequest {
  'claimIds'?: (string)[];
}

export interface RenewRequestsRequest__Output {
  'claimIds': (string)[];
}
