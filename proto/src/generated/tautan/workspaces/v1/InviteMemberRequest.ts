// Original file: workspaces.proto


export interface InviteMemberRequest {
  'credential'?: (string);
  'email'?: (string);
  'role'?: (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface InviteMemberRequest__Output {
  'credential': (string);
  'email': (string);
  'role': (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
