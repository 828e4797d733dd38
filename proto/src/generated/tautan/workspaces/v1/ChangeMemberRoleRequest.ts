// Original file: workspaces.proto


export interface ChangeMemberRoleRequest {
  'credential'?: (string);
  'id'?: (string);
  'role'?: (string);
}

export interface ChangeMemberRoleRequest__Output {
  'credential': (string);
  'id': (string);
  'role': (string);
}
