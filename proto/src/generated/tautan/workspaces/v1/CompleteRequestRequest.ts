// Original file: workspaces.proto

import type { StoredAnswer as _tautan_workspaces_v1_StoredAnswer, StoredAnswer__Output as _tautan_workspaces_v1_StoredAnswer__Output } from '../../../tautan/workspaces/v1/StoredAnswer.js';

export interface CompleteRequestRequest {
  'key'?: (string);
  'answer'?: (_tautan_workspaces_v1_StoredAnswer | null);
  'claimId'?: (string);
}

export interface CompleteRequestRequest__Output {
  'key': (string);
  'answer': (_tautan_workspaces_v1_StoredAnswer__Output | null);
  'claimId': (string);
}
