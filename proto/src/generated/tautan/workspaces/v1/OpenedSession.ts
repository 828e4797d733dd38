// Original file: workspaces.proto

import type { AuthenticatedUser as _tautan_workspaces_v1_AuthenticatedUser, AuthenticatedUser__Output as _tautan_workspaces_v1_AuthenticatedUser__Output } from '../../../tautan/workspaces/v1/AuthenticatedUser.js';

export interface OpenedSession {
  'secret'?: (string);
  'expiresAt'?: (string);
  'user'?: (_tautan_workspaces_v1_AuthenticatedUser | null);
  'returnTo'?: (string);
}

export interface OpenedSession__Output {
  'secret': (string);
  'expiresAt': (string);
  'user': (_tautan_workspaces_v1_AuthenticatedUser__Output | null);
  'returnTo': (string);
}
