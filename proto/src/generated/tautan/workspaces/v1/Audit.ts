// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ListAuditLogRequest as _tautan_workspaces_v1_ListAuditLogRequest, ListAuditLogRequest__Output as _tautan_workspaces_v1_ListAuditLogRequest__Output } from '../../../tautan/workspaces/v1/ListAuditLogRequest.js';
import type { ListAuditLogResponse as _tautan_workspaces_v1_ListAuditLogResponse, ListAuditLogResponse__Output as _tautan_workspaces_v1_ListAuditLogResponse__Output } from '../../../tautan/workspaces/v1/ListAuditLogResponse.js';

export interface AuditClient extends grpc.Client {
  ListAuditLog(argument: _tautan_workspaces_v1_ListAuditLogRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAuditLogResponse__Output>): grpc.ClientUnaryCall;
  ListAuditLog(argument: _tautan_workspaces_v1_ListAuditLogRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAuditLogResponse__Output>): grpc.ClientUnaryCall;
  ListAuditLog(argument: _tautan_workspaces_v1_ListAuditLogRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAuditLogResponse__Output>): grpc.ClientUnaryCall;
  ListAuditLog(argument: _tautan_workspaces_v1_ListAuditLogRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAuditLogResponse__Output>): grpc.ClientUnaryCall;
  listAuditLog(argument: _tautan_workspaces_v1_ListAuditLogRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAuditLogResponse__Output>): grpc.ClientUnaryCall;
  listAuditLog(argument: _tautan_workspaces_v1_ListAuditLogRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAuditLogResponse__Output>): grpc.ClientUnaryCall;
  listAuditLog(argument: _tautan_workspaces_v1_ListAuditLogRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAuditLogResponse__Output>): grpc.ClientUnaryCall;
  listAuditLog(argument: _tautan_workspaces_v1_ListAuditLogRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ListAuditLogResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface AuditHandlers extends grpc.UntypedServiceImplementation {
  ListAuditLog: grpc.handleUnaryCall<_tautan_workspaces_v1_ListAuditLogRequest__Output, _tautan_workspaces_v1_ListAuditLogResponse>;
  
}

export interface AuditDefinition extends grpc.ServiceDefinition {
  ListAuditLog: MethodDefinition<_tautan_workspaces_v1_ListAuditLogRequest, _tautan_workspaces_v1_ListAuditLogResponse, _tautan_workspaces_v1_ListAuditLogRequest__Output, _tautan_workspaces_v1_ListAuditLogResponse__Output>
}
