// Original file: workspaces.proto

import type { Session as _tautan_workspaces_v1_Session, Session__Output as _tautan_workspaces_v1_Session__Output } from '../../../tautan/workspaces/v1/Session.js';

export interface ListSessionsResponse {
  'sessions'?: (_tautan_workspaces_v1_Session)[];
}

export interface ListSessionsResponse__Output {
  'sessions': (_tautan_workspaces_v1_Session__Output)[];
}
