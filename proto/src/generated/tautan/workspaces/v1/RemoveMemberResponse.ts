// Original file: workspaces.proto


export interface RemoveMemberResponse {
  'id'?: (string);
}

export interface RemoveMemberResponse__Output {
  'id': (string);
}
