// Original file: workspaces.proto

import type { Member as _tautan_workspaces_v1_Member, Member__Output as _tautan_workspaces_v1_Member__Output } from '../../../tautan/workspaces/v1/Member.js';

export interface ListMembersResponse {
  'members'?: (_tautan_workspaces_v1_Member)[];
}

export interface ListMembersResponse__Output {
  'members': (_tautan_workspaces_v1_Member__Output)[];
}
