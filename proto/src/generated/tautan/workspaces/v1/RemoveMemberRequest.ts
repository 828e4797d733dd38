// Original file: workspaces.proto


export interface RemoveMemberRequest {
  'credential'?: (string);
  'id'?: (string);
}

export interface RemoveMemberRequest__Output {
  'credential': (string);
  'id': (string);
}
