// Original file: workspaces.proto


export interface ListAuditLogRequest {
  'action'?: (string);
  'cursor'?: (string);
  'limit'?: (number);
}

export interface ListAuditLogRequest__Output {
  'action': (string);
  'cursor': (string);
  'limit': (number);
}
