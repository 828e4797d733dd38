// Original file: workspaces.proto


export interface BrokenAuditEntry {
  'seq'?: (number);
  'id'?: (string);
  'reason'?: (string);
}

export interface BrokenAuditEntry__Output {
  'seq': (number);
  'id': (string);
  'reason': (string);
}
