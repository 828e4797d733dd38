// Original file: workspaces.proto

import type { OperatorWorkspace as _tautan_workspaces_v1_OperatorWorkspace, OperatorWorkspace__Output as _tautan_workspaces_v1_OperatorWorkspace__Output } from '../../../tautan/workspaces/v1/OperatorWorkspace.js';

export interface ListAllWorkspacesResponse {
  'workspaces'?: (_tautan_workspaces_v1_OperatorWorkspace)[];
  'hasMore'?: (boolean);
}

export interface ListAllWorkspacesResponse__Output {
  'workspaces': (_tautan_workspaces_v1_OperatorWorkspace__Output)[];
  'hasMore': (boolean);
}
