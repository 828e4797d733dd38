// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateWorkspaceRequest as _tautan_workspaces_v1_CreateWorkspaceRequest, CreateWorkspaceRequest__Output as _tautan_workspaces_v1_CreateWorkspaceRequest__Output } from '../../../tautan/workspaces/v1/CreateWorkspaceRequest.js';
import type { GetWorkspaceRequest as _tautan_workspaces_v1_GetWorkspaceRequest, GetWorkspaceRequest__Output as _tautan_workspaces_v1_GetWorkspaceRequest__Output } from '../../../tautan/workspaces/v1/GetWorkspaceRequest.js';
import type { Workspace as _tautan_workspaces_v1_Workspace, Workspace__Output as _tautan_workspaces_v1_Workspace__Output } from '../../../tautan/workspaces/v1/Workspace.js';

export interface WorkspacesClient extends grpc.Client {
  CreateWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  CreateWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  CreateWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  CreateWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  createWorkspace(argument: _tautan_workspaces_v1_CreateWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
  GetWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  GetWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  getWorkspace(argument: _tautan_workspaces_v1_GetWorkspaceRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_Workspace__Output>): grpc.ClientUnaryCall;
  
}

export interface WorkspacesHandlers extends grpc.UntypedServiceImplementation {
  CreateWorkspace: grpc.handleUnaryCall<_tautan_workspaces_v1_CreateWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace>;
  
  GetWorkspace: grpc.handleUnaryCall<_tautan_workspaces_v1_GetWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace>;
  
}

export interface WorkspacesDefinition extends grpc.ServiceDefinition {
  CreateWorkspace: MethodDefinition<_tautan_workspaces_v1_CreateWorkspaceRequest, _tautan_workspaces_v1_Workspace, _tautan_workspaces_v1_CreateWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace__Output>
  GetWorkspace: MethodDefinition<_tautan_workspaces_v1_GetWorkspaceRequest, _tautan_workspaces_v1_Workspace, _tautan_workspaces_v1_GetWorkspaceRequest__Output, _tautan_workspaces_v1_Workspace__Output>
}
