// Original file: workspaces.proto

import type { SignInClient as _tautan_workspaces_v1_SignInClient, SignInClient__Output as _tautan_workspaces_v1_SignInClient__Output } from '../../../tautan/workspaces/v1/SignInClient.js';

export interface SignUpRequest {
  'email'?: (string);
  'password'?: (string);
  'name'?: (string);
  'client'?: (_tautan_workspaces_v1_SignInClient | null);
}

export interface SignUpRequest__Output {
  'email': (string);
  'password': (string);
  'name': (string);
  'client': (_tautan_workspaces_v1_SignInClient__Output | null);
}
