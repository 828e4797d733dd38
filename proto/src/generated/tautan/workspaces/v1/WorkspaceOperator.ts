// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AuditVerdict as _tautan_workspaces_v1_AuditVerdict, AuditVerdict__Output as _tautan_workspaces_v1_AuditVerdict__Output } from '../../../tautan/workspaces/v1/AuditVerdict.js';
import type { CreateWorkspaceRequest as _tautan_workspaces_v1_CreateWorkspaceRequest, CreateWorkspaceRequest__Output as _tautan_workspaces_v1_CreateWorkspaceRequest__Output } from '../../../tautan/workspaces/v1/CreateWorkspaceRequest.js';
import type { ListAllWorkspacesRequest as _tautan_workspaces_v1_ListAllWorkspacesRequest, ListAllWorkspacesRequest__Output as _tautan_workspaces_v1_ListAllWorkspacesRequest__Output } from '../../../tautan/workspaces/v1/ListAllWorkspacesRequest.js';
import type { ListAllWorkspacesResponse as _tautan_workspaces_v1_ListAllWorkspacesResponse, ListAllWorkspacesResponse__Output as _tautan_workspaces_v1_ListAllWorkspacesResponse__Output } from '../../../tautan/workspaces/v1/ListAllWorkspacesResponse.js';
import type { ListApiKeysResponse as _tautan_workspaces_v1_ListApiKeysResponse, ListApiKeysResponse__Output as _tautan_workspaces_v1_ListApiKeysResponse__Output } from '../../../tautan/workspaces/v1/ListApiKeysResponse.js';
import type { ListWorkspaceKeysRequest as _tautan_workspaces_v1_ListWorkspaceKeysRequest, ListWorkspaceKeysRequest__Output as _tautan_workspaces_v1_ListWorkspaceKeysRequest__Output } from '../../../tautan/workspaces/v1/ListWorkspaceKeysRequest.js';
import type { MintApiKeyRequest as _tautan_workspaces_v1_MintApiKeyRequest, MintApiKeyRequest__Output as _tautan_workspaces_v1_MintApiKeyRequest__Output } from '../../../tautan/workspaces/v1/MintApiKeyRequest.js';
import type { MintedApiKey as _tautan_workspaces_v1_MintedApiKey, MintedApiKey__Output as _tautan_workspaces_v1_MintedApiKey__Output } from '../../../tautan/workspaces/v1/MintedApiKey.js';
import type { OperatorWorkspace as _tautan_workspaces_v1_OperatorWorkspace, OperatorWorkspace__Output as _tautan_workspaces_v1_OperatorWorkspace__Output } from '../../../tautan/workspaces/v1/OperatorWorkspace.js';
import type { RevokeApiKeyRequest as _tautan_workspaces_v1_RevokeApiKeyRequest, RevokeApiKeyRequest__Output as _tautan_workspaces_v1_RevokeApiKeyRequest__Output } from '../../../tautan/workspaces/v1/RevokeApiKeyRequest.js';
import type { RevokeApiKeyResponse as _tautan_workspaces_v1_RevokeApiKeyResponse, RevokeApiKeyResponse__Output as _tautan_workspaces_v1_RevokeApiKeyResponse__Output } from '../../../tautan/workspaces/v1/RevokeApiKeyResponse.js';
import type { SetPlanRequest as _tautan_workspaces_v1_SetPlanRequest, SetPlanRequest__Output as _tautan_workspaces_v1_SetPlanRequest__Output } from '../../../tautan/workspaces/v1/SetPlanRequest.js';
import type { VerifyAuditLogRequest as _tautan_workspaces_v1_VerifyAuditLogRequest, VerifyAuditLogRequest__Output as _tautan_workspaces_v1_VerifyAuditLogRequest__Output } from '../../../tautan/workspaces/v1/VerifyAuditLogRequest.js';

export interface WorkspaceOperatorClient extends grpc.Client {
  CreateWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  CreateWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  CreateWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  CreateWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  
  ListApiKeys(argument: _tautan_workspaces_v1_ListWorkspaceKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _tautan_workspaces_v1_ListWorkspaceKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _tautan_workspaces_v1_ListWorkspaceKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  ListApiKeys(argument: _tautan_workspaces_v1_ListWorkspaceKeysRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tautan_workspaces_v1_ListWorkspaceKeysRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tautan_workspaces_v1_ListWorkspaceKeysRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tautan_workspaces_v1_ListWorkspaceKeysRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  listApiKeys(argument: _tautan_workspaces_v1_ListWorkspaceKeysRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListApiKeysResponse__Output>): grpc.ClientUnaryCall;
  
  ListWorkspaces(argument: _tautan_workspaces_v1_ListAllWorkspacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAllWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  ListWorkspaces(argument: _tautan_workspaces_v1_ListAllWorkspacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAllWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  ListWorkspaces(argument: _tautan_workspaces_v1_ListAllWorkspacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAllWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  ListWorkspaces(argument: _tautan_workspaces_v1_ListAllWorkspacesRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAllWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _tautan_workspaces_v1_ListAllWorkspacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAllWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _tautan_workspaces_v1_ListAllWorkspacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAllWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _tautan_workspaces_v1_ListAllWorkspacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAllWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _tautan_workspaces_v1_ListAllWorkspacesRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAllWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  
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
  
  SetPlan(argument: _tautan_workspaces_v1_SetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  SetPlan(argument: _tautan_workspaces_v1_SetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  SetPlan(argument: _tautan_workspaces_v1_SetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  SetPlan(argument: _tautan_workspaces_v1_SetPlanRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _tautan_workspaces_v1_SetPlanRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _tautan_workspaces_v1_SetPlanRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _tautan_workspaces_v1_SetPlanRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  setPlan(argument: _tautan_workspaces_v1_SetPlanRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_OperatorWorkspace__Output>): grpc.ClientUnaryCall;
  
  VerifyAuditLog(argument: _tautan_workspaces_v1_VerifyAuditLogRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_AuditVerdict__Output>): grpc.ClientUnaryCall;
  VerifyAuditLog(argument: _tautan_workspaces_v1_VerifyAuditLogRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_AuditVerdict__Output>): grpc.ClientUnaryCall;
  VerifyAuditLog(argument: _tautan_workspaces_v1_VerifyAuditLogRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_AuditVerdict__Output>): grpc.ClientUnaryCall;
  VerifyAuditLog(argument: _tautan_workspaces_v1_VerifyAuditLogRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_AuditVerdict__Output>): grpc.ClientUnaryCall;
  verifyAuditLog(argument: _tautan_workspaces_v1_VerifyAuditLogRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_AuditVerdict__Output>): grpc.ClientUnaryCall;
  verifyAuditLog(argument: _tautan_workspaces_v1_VerifyAuditLogRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_AuditVerdict__Output>): grpc.ClientUnaryCall;
  verifyAuditLog(argument: _tautan_workspaces_v1_VerifyAuditLogRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_AuditVerdict__Output>): grpc.ClientUnaryCall;
  verifyAuditLog(argument: _tautan_workspaces_v1_VerifyAuditLogRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_AuditVerdict__Output>): grpc.ClientUnaryCall;
  
}

export interface WorkspaceOperatorHandlers extends grpc.UntypedServiceImplementation {
  CreateWorkspace: grpc.handleUnaryCall<_tautan_workspaces_v1_CreateWorkspaceRequest__Output, _tautan_workspaces_v1_OperatorWorkspace>;
  
  ListApiKeys: grpc.handleUnaryCall<_tautan_workspaces_v1_ListWorkspaceKeysRequest__Output, _tautan_workspaces_v1_ListApiKeysResponse>;
  
  ListWorkspaces: grpc.handleUnaryCall<_tautan_workspaces_v1_ListAllWorkspacesRequest__Output, _tautan_workspaces_v1_ListAllWorkspacesResponse>;
  
  MintApiKey: grpc.handleUnaryCall<_tautan_workspaces_v1_MintApiKeyRequest__Output, _tautan_workspaces_v1_MintedApiKey>;
  
  RevokeApiKey: grpc.handleUnaryCall<_tautan_workspaces_v1_RevokeApiKeyRequest__Output, _tautan_workspaces_v1_RevokeApiKeyResponse>;
  
  SetPlan: grpc.handleUnaryCall<_tautan_workspaces_v1_SetPlanRequest__Output, _tautan_workspaces_v1_OperatorWorkspace>;
  
  VerifyAuditLog: grpc.handleUnaryCall<_tautan_workspaces_v1_VerifyAuditLogRequest__Output, _tautan_workspaces_v1_AuditVerdict>;
  
}

export interface WorkspaceOperatorDefinition extends grpc.ServiceDefinition {
  CreateWorkspace: MethodDefinition<_tautan_workspaces_v1_CreateWorkspaceRequest, _tautan_workspaces_v1_OperatorWorkspace, _tautan_workspaces_v1_CreateWorkspaceRequest__Output, _tautan_workspaces_v1_OperatorWorkspace__Output>
  ListApiKeys: MethodDefinition<_tautan_workspaces_v1_ListWorkspaceKeysRequest, _tautan_workspaces_v1_ListApiKeysResponse, _tautan_workspaces_v1_ListWorkspaceKeysRequest__Output, _tautan_workspaces_v1_ListApiKeysResponse__Output>
  ListWorkspaces: MethodDefinition<_tautan_workspaces_v1_ListAllWorkspacesRequest, _tautan_workspaces_v1_ListAllWorkspacesResponse, _tautan_workspaces_v1_ListAllWorkspacesRequest__Output, _tautan_workspaces_v1_ListAllWorkspacesResponse__Output>
  MintApiKey: MethodDefinition<_tautan_workspaces_v1_MintApiKeyRequest, _tautan_workspaces_v1_MintedApiKey, _tautan_workspaces_v1_MintApiKeyRequest__Output, _tautan_workspaces_v1_MintedApiKey__Output>
  RevokeApiKey: MethodDefinition<_tautan_workspaces_v1_RevokeApiKeyRequest, _tautan_workspaces_v1_RevokeApiKeyResponse, _tautan_workspaces_v1_RevokeApiKeyRequest__Output, _tautan_workspaces_v1_RevokeApiKeyResponse__Output>
  SetPlan: MethodDefinition<_tautan_workspaces_v1_SetPlanRequest, _tautan_workspaces_v1_OperatorWorkspace, _tautan_workspaces_v1_SetPlanRequest__Output, _tautan_workspaces_v1_OperatorWorkspace__Output>
  VerifyAuditLog: MethodDefinition<_tautan_workspaces_v1_VerifyAuditLogRequest, _tautan_workspaces_v1_AuditVerdict, _tautan_workspaces_v1_VerifyAuditLogRequest__Output, _tautan_workspaces_v1_AuditVerdict__Output>
}
