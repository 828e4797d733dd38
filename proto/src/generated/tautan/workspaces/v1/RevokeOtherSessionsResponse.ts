// Original file: workspaces.proto


export interface RevokeOtherSessionsResponse {
  'count'?: (number);
}

export interface RevokeOtherSessionsResponse__Output {
  'count': (number);
}
