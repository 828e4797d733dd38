// Original file: workspaces.proto

import type { SignInClient as _tautan_workspaces_v1_SignInClient, SignInClient__Output as _tautan_workspaces_v1_SignInClient__Output } from '../../../tautan/workspaces/v1/SignInClient.js';

export interface EndSessionRequest {
  'secret'?: (string);
  'client'?: (_tautan_workspaces_v1_SignInClient | null);
}

export interface EndSessionRequest__Output {
  'secret': (string);
  'client': (_tautan_workspaces_v1_SignInClient__Output | null);
}
