// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ListApiKeysRequest as _tautan_workspaces_v1_ListApiKeysRequest, ListApiKeysRequest__Output as _tautan_workspaces_v1_ListApiKeysRequest__Output } from '../../../tautan/workspaces/v1/ListApiKeysRequest.js';
import type { ListApiKeysResponse as _tautan_workspaces_v1_ListApiKeysResponse, ListApiKeysResponse__Output as _tautan_workspaces_v1_ListApiKeysResponse__Output } from '../../../tautan/workspaces/v1/ListApiKeysResponse.js';
import type { MintApiKeyRequest as _tautan_workspaces_v1_MintApiKeyRequest, MintApiKeyRequest__Output as _tautan_workspaces_v1_MintApiKeyRequest__Output } from '../../../tautan/workspaces/v1/MintApiKeyRequest.js';
import type { MintedApiKey as _tautan_workspaces_v1_MintedApiKey, MintedApiKey__Output as _tautan_workspaces_v1_MintedApiKey__Output } from '../../../tautan/workspaces/v1/MintedApiKey.js';
import type { RevokeApiKeyRequest as _tautan_workspaces_v1_RevokeApiKeyRequest, RevokeApiKeyRequest__Output as _tautan_workspaces_v1_RevokeApiKeyRequest__Output } from '../../../tautan/workspaces/v1/RevokeApiKeyRequest.js';
import type { RevokeApiKeyResponse as _tautan_workspaces_v1_RevokeApiKeyResponse, RevokeApiKeyResponse__Output as _tautan_workspaces_v1_RevokeApiKeyResponse__Output } from '../../../tautan/workspaces/v1/RevokeApiKeyResponse.js';
import type { VerifiedApiKey as _tautan_workspaces_v1_VerifiedApiKey, VerifiedApiKey__Output as _tautan_workspaces_v1_VerifiedApiKey__Output } from '../../../tautan/workspaces/v1/VerifiedApiKey.js';
import type { VerifyApiKeyRequest as _tautan_workspaces_v1_VerifyApiKeyRequest, VerifyApiKeyRequest__Output as _tautan_workspaces_v1_VerifyApiKeyRequest__Output } from '../../../tautan/workspaces/v1/VerifyApiKeyRequest.js';

export interface ApiKeysClient extends grpc.Client {
  ListApiKeys(argument: _tautan_workspaces_v1_ListApiKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _tautan_workspaces_v1_ListApiKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _tautan_workspaces_v1_ListApiKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _tautan_workspaces_v1_ListApiKeysRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tautan_workspaces_v1_ListApiKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tautan_workspaces_v1_ListApiKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tautan_workspaces_v1_ListApiKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tautan_workspaces_v1_ListApiKeysRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  
  MintApiKey(argument: _tautan_workspaces_v1_MintApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_MintedApiKey__Output>): grpc.ClientUnaryCall;
  MintApiKey(argument: _tautan_workspaces_v1_MintApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_MintedApiKey__Output>): grpc.ClientUnaryCall;
  MintApiKey(argument: _tautan_workspaces_v1_MintApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_MintedApiKey__Output>): grpc.ClientUnaryCall;
  MintApiKey(argument: _tautan_workspaces_v1_MintApiKeyRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_MintedApiKey__Output>): grpc.ClientUnaryCall;
  mintApiKey(argument: _tautan_workspaces_v1_MintApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_MintedApiKey__Output>): grpc.ClientUnaryCall;
  mintApiKey(argument: _tautan_workspaces_v1_MintApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_MintedApiKey__Output>): grpc.ClientUnaryCall;
  mintApiKey(argument: _tautan_workspaces_v1_MintApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_MintedApiKey__Output>): grpc.ClientUnaryCall;
  mintApiKey(argument: _tautan_workspaces_v1_MintApiKeyRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_MintedApiKey__Output>): grpc.ClientUnaryCall;
  
  RevokeApiKey(argument: _tautan_workspaces_v1_RevokeApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeApiKeyResponse__Output>): grpc.ClientUnaryCall;
  RevokeApiKey(argument: _tautan_workspaces_v1_RevokeApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeApiKeyResponse__Output>): grpc.ClientUnaryCall;
  RevokeApiKey(argument: _tautan_workspaces_v1_RevokeApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeApiKeyResponse__Output>): grpc.ClientUnaryCall;
  RevokeApiKey(argument: _tautan_workspaces_v1_RevokeApiKeyRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeApiKeyResponse__Output>): grpc.ClientUnaryCall;
  revokeApiKey(argument: _tautan_workspaces_v1_RevokeApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeApiKeyResponse__Output>): grpc.ClientUnaryCall;
  revokeApiKey(argument: _tautan_workspaces_v1_RevokeApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeApiKeyResponse__Output>): grpc.ClientUnaryCall;
  revokeApiKey(argument: _tautan_workspaces_v1_RevokeApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeApiKeyResponse__Output>): grpc.ClientUnaryCall;
  revokeApiKey(argument: _tautan_workspaces_v1_RevokeApiKeyRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RevokeApiKeyResponse__Output>): grpc.ClientUnaryCall;
  
  VerifyApiKey(argument: _tautan_workspaces_v1_VerifyApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_VerifiedApiKey__Output>): grpc.ClientUnaryCall;
  VerifyApiKey(argument: _tautan_workspaces_v1_VerifyApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_VerifiedApiKey__Output>): grpc.ClientUnaryCall;
  VerifyApiKey(argument: _tautan_workspaces_v1_VerifyApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_VerifiedApiKey__Output>): grpc.ClientUnaryCall;
  VerifyApiKey(argument: _tautan_workspaces_v1_VerifyApiKeyRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_VerifiedApiKey__Output>): grpc.ClientUnaryCall;
  verifyApiKey(argument: _tautan_workspaces_v1_VerifyApiKeyRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_VerifiedApiKey__Output>): grpc.ClientUnaryCall;
  verifyApiKey(argument: _tautan_workspaces_v1_VerifyApiKeyRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_VerifiedApiKey__Output>): grpc.ClientUnaryCall;
  verifyApiKey(argument: _tautan_workspaces_v1_VerifyApiKeyRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_VerifiedApiKey__Output>): grpc.ClientUnaryCall;
  verifyApiKey(argument: _tautan_workspaces_v1_VerifyApiKeyRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_VerifiedApiKey__Output>): grpc.ClientUnaryCall;
  
}

export interface ApiKeysHandlers extends grpc.UntypedServiceImplementation {
  ListApiKeys: grpc.handleUnaryCall<_tautan_workspaces_v1_ListApiKeysRequest__Output, _tautan_workspaces_v1_ListApiKeysResponse>;
  
  MintApiKey: grpc.handleUnaryCall<_tautan_workspaces_v1_MintApiKeyRequest__Output, _tautan_workspaces_v1_MintedApiKey>;
  
  RevokeApiKey: grpc.handleUnaryCall<_tautan_workspaces_v1_RevokeApiKeyRequest__Output, _tautan_workspaces_v1_RevokeApiKeyResponse>;
  
  VerifyApiKey: grpc.handleUnaryCall<_tautan_workspaces_v1_VerifyApiKeyRequest__Output, _tautan_workspaces_v1_VerifiedApiKey>;
  
}

export interface ApiKeysDefinition extends grpc.ServiceDefinition {
  ListApiKeys: MethodDefinition<_tautan_workspaces_v1_ListApiKeysRequest, _tautan_workspaces_v1_ListApiKeysResponse, _tautan_workspaces_v1_ListApiKeysRequest__Output, _tautan_workspaces_v1_ListApiKeysResponse__Output>
  MintApiKey: MethodDefinition<_tautan_workspaces_v1_MintApiKeyRequest, _tautan_workspaces_v1_MintedApiKey, _tautan_workspaces_v1_MintApiKeyRequest__Output, _tautan_workspaces_v1_MintedApiKey__Output>
  RevokeApiKey: MethodDefinition<_tautan_workspaces_v1_RevokeApiKeyRequest, _tautan_workspaces_v1_RevokeApiKeyResponse, _tautan_workspaces_v1_RevokeApiKeyRequest__Output, _tautan_workspaces_v1_RevokeApiKeyResponse__Output>
  VerifyApiKey: MethodDefinition<_tautan_workspaces_v1_VerifyApiKeyRequest, _tautan_workspaces_v1_VerifiedApiKey, _tautan_workspaces_v1_VerifyApiKeyRequest__Output, _tautan_workspaces_v1_VerifiedApiKey__Output>
}
