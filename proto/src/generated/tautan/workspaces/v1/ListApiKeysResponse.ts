// Original file: workspaces.proto

import type { ApiKey as _tautan_workspaces_v1_ApiKey, ApiKey__Output as _tautan_workspaces_v1_ApiKey__Output } from '../../../tautan/workspaces/v1/ApiKey.js';

export interface ListApiKeysResponse {
  'apiKeys'?: (_tautan_workspaces_v1_ApiKey)[];
}

export interface ListApiKeysResponse__Output {
  'apiKeys': (_tautan_workspaces_v1_ApiKey__Output)[];
}
