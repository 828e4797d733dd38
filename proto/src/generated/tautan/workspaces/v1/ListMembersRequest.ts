// Original file: workspaces.proto


export interface ListMembersRequest {
  'credential'?: (string);
}

export interface ListMembersRequest__Output {
  'credential': (string);
}
