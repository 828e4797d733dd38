// Original file: workspaces.proto


export interface VerifyAuditLogRequest {
  'workspaceId'?: (string);
}

export interface VerifyAuditLogRequest__Output {
  'workspaceId': (string);
}
