// Original file: workspaces.proto

import type { BrokenAuditEntry as _tautan_workspaces_v1_BrokenAuditEntry, BrokenAuditEntry__Output as _tautan_workspaces_v1_BrokenAuditEntry__Output } from '../../../tautan/workspaces/v1/BrokenAuditEntry.js';

export interface AuditVerdict {
  'workspaceId'?: (string);
  'entries'?: (number);
  'broken'?: (_tautan_workspaces_v1_BrokenAuditEntry | null);
  '_broken'?: "broken";
}

export interface AuditVerdict__Output {
  'workspaceId': (string);
  'entries': (number);
  'broken'?: (_tautan_workspaces_v1_BrokenAuditEntry__Output | null);
  '_broken'?: "broken";
}
