// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateOwnWorkspaceRequest as _tautan_workspaces_v1_CreateOwnWorkspaceRequest, CreateOwnWorkspaceRequest__Output as _tautan_workspaces_v1_CreateOwnWorkspaceRequest__Output } from '../../../tautan/workspaces/v1/CreateOwnWorkspaceRequest.js';
import type { GetWorkspaceRequest as _tautan_workspaces_v1_GetWorkspaceRequest, GetWorkspaceRequest__Output as _tautan_workspaces_v1_GetWorkspaceRequest__Output } from '../../../tautan/workspaces/v1/GetWorkspaceRequest.js';
import type { ListWorkspacesRequest as _tautan_workspaces_v1_ListWorkspacesRequest, ListWorkspacesRequest__Output as _tautan_workspaces_v1_ListWorkspacesRequest__Output } from '../../../tautan/workspaces/v1/ListWorkspacesRequest.js';
import type { ListWorkspacesResponse as _tautan_workspaces_v1_ListWorkspacesResponse, ListWorkspacesResponse__Output as _tautan_workspaces_v1_ListWorkspacesResponse__Output } from '../../../tautan/workspaces/v1/ListWorkspacesResponse.js';
import type { SwitchWorkspaceRequest as _tautan_workspaces_v1_SwitchWorkspaceRequest, SwitchWorkspaceRequest__Output as _tautan_workspaces_v1_SwitchWorkspaceRequest__Output } from '../../../tautan/workspaces/v1/SwitchWorkspaceRequest.js';
import type { UpdateWorkspaceRequest as _tautan_workspaces_v1_UpdateWorkspaceRequest, UpdateWorkspaceRequest__Output as _tautan_workspaces_v1_UpdateWorkspaceRequest__Output } from '../../../tautan/workspaces/v1/UpdateWorkspaceRequest.js';
import type { Workspace as _tautan_workspaces_v1_Workspace, Workspace__Output as _tautan_workspaces_v1_Workspace__Output } from '../../../tautan/workspaces/v1/Workspace.js';

export interface WorkspacesClient extends grpc.Client {
  CreateOwnWorkspace(argument: _tautan_workspaces_v1_CreateOwnWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  CreateOwnWorkspace(argument: _tautan_workspaces_v1_CreateOwnWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  CreateOwnWorkspace(argument: _tautan_workspaces_v1_CreateOwnWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  CreateOwnWorkspace(argument: _tautan_workspaces_v1_CreateOwnWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  createOwnWorkspace(argument: _tautan_workspaces_v1_CreateOwnWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  createOwnWorkspace(argument: _tautan_workspaces_v1_CreateOwnWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  createOwnWorkspace(argument: _tautan_workspaces_v1_CreateOwnWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  createOwnWorkspace(argument: _tautan_workspaces_v1_CreateOwnWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  GetWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  ListWorkspaces(argument: _tautan_workspaces_v1_ListWorkspacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  ListWorkspaces(argument: _tautan_workspaces_v1_ListWorkspacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  ListWorkspaces(argument: _tautan_workspaces_v1_ListWorkspacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  ListWorkspaces(argument: _tautan_workspaces_v1_ListWorkspacesRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _tautan_workspaces_v1_ListWorkspacesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _tautan_workspaces_v1_ListWorkspacesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _tautan_workspaces_v1_ListWorkspacesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  listWorkspaces(argument: _tautan_workspaces_v1_ListWorkspacesRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListWorkspacesResponse__Output>): grpc.ClientUnaryCall;
  
  SwitchWorkspace(argument: _tautan_workspaces_v1_SwitchWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  SwitchWorkspace(argument: _tautan_workspaces_v1_SwitchWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  SwitchWorkspace(argument: _tautan_workspaces_v1_SwitchWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  SwitchWorkspace(argument: _tautan_workspaces_v1_SwitchWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  switchWorkspace(argument: _tautan_workspaces_v1_SwitchWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  switchWorkspace(argument: _tautan_workspaces_v1_SwitchWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  switchWorkspace(argument: _tautan_workspaces_v1_SwitchWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  switchWorkspace(argument: _tautan_workspaces_v1_SwitchWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  UpdateWorkspace(argument: _tautan_workspaces_v1_UpdateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  UpdateWorkspace(argument: _tautan_workspaces_v1_UpdateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  UpdateWorkspace(argument: _tautan_workspaces_v1_UpdateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  UpdateWorkspace(argument: _tautan_workspaces_v1_UpdateWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  updateWorkspace(argument: _tautan_workspaces_v1_UpdateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  updateWorkspace(argument: _tautan_workspaces_v1_UpdateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  updateWorkspace(argument: _tautan_workspaces_v1_UpdateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  updateWorkspace(argument: _tautan_workspaces_v1_UpdateWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
}

export interface WorkspacesHandlers extends grpc.UntypedServiceImplementation {
  CreateOwnWorkspace: grpc.handleUnaryCall<_tautan_workspaces_v1_CreateOwnWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace>;
  
  GetWorkspace: grpc.handleUnaryCall<_tautan_workspaces_v1_GetWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace>;
  
  ListWorkspaces: grpc.handleUnaryCall<_tautan_workspaces_v1_ListWorkspacesRequest__Output, _tautan_workspaces_v1_ListWorkspacesResponse>;
  
  SwitchWorkspace: grpc.handleUnaryCall<_tautan_workspaces_v1_SwitchWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace>;
  
  UpdateWorkspace: grpc.handleUnaryCall<_tautan_workspaces_v1_UpdateWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace>;
  
}

export interface WorkspacesDefinition extends grpc.ServiceDefinition {
  CreateOwnWorkspace: MethodDefinition<_tautan_workspaces_v1_CreateOwnWorkspaceRequest, _tautan_workspaces_v1_Workspace, _tautan_workspaces_v1_CreateOwnWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace__Output>
  GetWorkspace: MethodDefinition<_tautan_workspaces_v1_GetWorkspaceRequest, _tautan_workspaces_v1_Workspace, _tautan_workspaces_v1_GetWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace__Output>
  ListWorkspaces: MethodDefinition<_tautan_workspaces_v1_ListWorkspacesRequest, _tautan_workspaces_v1_ListWorkspacesResponse, _tautan_workspaces_v1_ListWorkspacesRequest__Output, _tautan_workspaces_v1_ListWorkspacesResponse__Output>
  SwitchWorkspace: MethodDefinition<_tautan_workspaces_v1_SwitchWorkspaceRequest, _tautan_workspaces_v1_Workspace, _tautan_workspaces_v1_SwitchWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace__Output>
  UpdateWorkspace: MethodDefinition<_tautan_workspaces_v1_UpdateWorkspaceRequest, _tautan_workspaces_v1_Workspace, _tautan_workspaces_v1_UpdateWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace__Output>
}
