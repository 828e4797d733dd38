// Original file: workspaces.proto

import type { RequestHolder as _tautan_workspaces_v1_RequestHolder, RequestHolder__Output as _tautan_workspaces_v1_RequestHolder__Output } from '../../../tautan/workspaces/v1/RequestHolder.js';

export interface BeginRequestRequest {
  'key'?: (string);
  'fingerprint'?: (Buffer | Uint8Array | string);
  'holder'?: (_tautan_workspaces_v1_RequestHolder | null);
}

export interface BeginRequestRequest__Output {
  'key': (string);
  'fingerprint': (Buffer);
  'holder': (_tautan_workspaces_v1_RequestHolder__Output | null);
}
