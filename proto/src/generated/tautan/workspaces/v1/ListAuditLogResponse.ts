// Original file: workspaces.proto

import type { AuditEntry as _tautan_workspaces_v1_AuditEntry, AuditEntry__Output as _tautan_workspaces_v1_AuditEntry__Output } from '../../../tautan/workspaces/v1/AuditEntry.js';

export interface ListAuditLogResponse {
  'entries'?: (_tautan_workspaces_v1_AuditEntry)[];
  'nextCursor'?: (string);
  '_nextCursor'?: "nextCursor";
}

export interface ListAuditLogResponse__Output {
  'entries': (_tautan_workspaces_v1_AuditEntry__Output)[];
  'nextCursor'?: (string);
  '_nextCursor'?: "nextCursor";
}
