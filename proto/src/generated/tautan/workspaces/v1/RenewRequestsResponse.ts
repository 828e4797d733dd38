// Original file: workspaces.proto


export interface RenewRequestsResponse {
  'lost'?: (string)[];
}

export interface RenewRequestsResponse__Output {
  'lost': (string)[];
}
