// Original file: workspaces.proto


export interface ListAuditLogRequest {
  'action'?: (string);
  'cursor'?: (string);
  'limit'?: (number);
  'actor'?: (string);
  'target'?: (string);
  'from'?: (string);
  'to'?: (string);
  '_actor'?: "actor";
  '_target'?: "target";
  '_from'?: "from";
  '_to'?: "to";
}

export interface ListAuditLogRequest__Output {
  'action': (string);
  'cursor': (string);
  'limit': (number);
  'actor'?: (string);
  'target'?: (string);
  'from'?: (string);
  'to'?: (string);
  '_actor'?: "actor";
  '_target'?: "target";
  '_from'?: "from";
  '_to'?: "to";
}
