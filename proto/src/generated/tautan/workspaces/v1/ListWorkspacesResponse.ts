// Original file: workspaces.proto

import type { Workspace as _tautan_workspaces_v1_Workspace, Workspace__Output as _tautan_workspaces_v1_Workspace__Output } from '../../../tautan/workspaces/v1/Workspace.js';

export interface ListWorkspacesResponse {
  'workspaces'?: (_tautan_workspaces_v1_Workspace)[];
}

export interface ListWorkspacesResponse__Output {
  'workspaces': (_tautan_workspaces_v1_Workspace__Output)[];
}
