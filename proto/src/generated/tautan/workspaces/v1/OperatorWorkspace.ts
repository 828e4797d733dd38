// Original file: workspaces.proto

import type { WorkspaceOwner as _tautan_workspaces_v1_WorkspaceOwner, WorkspaceOwner__Output as _tautan_workspaces_v1_WorkspaceOwner__Output } from '../../../tautan/workspaces/v1/WorkspaceOwner.js';

export interface OperatorWorkspace {
  'id'?: (string);
  'name'?: (string);
  'plan'?: (string);
  'givenPlan'?: (string);
  'externalId'?: (string);
  'owner'?: (_tautan_workspaces_v1_WorkspaceOwner | null);
  'memberCount'?: (number);
  'linkCount'?: (number);
  'qrCodeCount'?: (number);
  'createdAt'?: (string);
  '_owner'?: "owner";
}

export interface OperatorWorkspace__Output {
  'id': (string);
  'name': (string);
  'plan': (string);
  'givenPlan': (string);
  'externalId': (string);
  'owner'?: (_tautan_workspaces_v1_WorkspaceOwner__Output | null);
  'memberCount': (number);
  'linkCount': (number);
  'qrCodeCount': (number);
  'createdAt': (string);
  '_owner'?: "owner";
}
