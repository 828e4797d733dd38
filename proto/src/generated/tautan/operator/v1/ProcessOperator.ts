// Original file: operator.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetProcessRequest as _tautan_operator_v1_GetProcessRequest, GetProcessRequest__Output as _tautan_operator_v1_GetProcessRequest__Output } from '../../../tautan/operator/v1/GetProcessRequest.js';
import type { ListProcessesRequest as _tautan_operator_v1_ListProcessesRequest, ListProcessesRequest__Output as _tautan_operator_v1_ListProcessesRequest__Output } from '../../../tautan/operator/v1/ListProcessesRequest.js';
import type { ListProcessesResponse as _tautan_operator_v1_ListProcessesResponse, ListProcessesResponse__Output as _tautan_operator_v1_ListProcessesResponse__Output } from '../../../tautan/operator/v1/ListProcessesResponse.js';
import type { Process as _tautan_operator_v1_Process, Process__Output as _tautan_operator_v1_Process__Output } from '../../../tautan/operator/v1/Process.js';

export interface ProcessOperatorClient extends grpc.Client {
  GetProcess(argument: _tautan_operator_v1_GetProcessRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_Process__Output>): grpc.ClientUnaryCall;
  GetProcess(argument: _tautan_operator_v1_GetProcessRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_Process__Output>): grpc.ClientUnaryCall;
  GetProcess(argument: _tautan_operator_v1_GetProcessRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_Process__Output>): grpc.ClientUnaryCall;
  GetProcess(argument: _tautan_operator_v1_GetProcessRequest, callback: grpc.requestCallback<_tautan_operator_v1_Process__Output>): grpc.ClientUnaryCall;
  getProcess(argument: _tautan_operator_v1_GetProcessRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_Process__Output>): grpc.ClientUnaryCall;
  getProcess(argument: _tautan_operator_v1_GetProcessRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_Process__Output>): grpc.ClientUnaryCall;
  getProcess(argument: _tautan_operator_v1_GetProcessRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_Process__Output>): grpc.ClientUnaryCall;
  getProcess(argument: _tautan_operator_v1_GetProcessRequest, callback: grpc.requestCallback<_tautan_operator_v1_Process__Output>): grpc.ClientUnaryCall;
  
  ListProcesses(argument: _tautan_operator_v1_ListProcessesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ListProcessesResponse__Output>): grpc.ClientUnaryCall;
  ListProcesses(argument: _tautan_operator_v1_ListProcessesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_ListProcessesResponse__Output>): grpc.ClientUnaryCall;
  ListProcesses(argument: _tautan_operator_v1_ListProcessesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ListProcessesResponse__Output>): grpc.ClientUnaryCall;
  ListProcesses(argument: _tautan_operator_v1_ListProcessesRequest, callback: grpc.requestCallback<_tautan_operator_v1_ListProcessesResponse__Output>): grpc.ClientUnaryCall;
  listProcesses(argument: _tautan_operator_v1_ListProcessesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ListProcessesResponse__Output>): grpc.ClientUnaryCall;
  listProcesses(argument: _tautan_operator_v1_ListProcessesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_ListProcessesResponse__Output>): grpc.ClientUnaryCall;
  listProcesses(argument: _tautan_operator_v1_ListProcessesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ListProcessesResponse__Output>): grpc.ClientUnaryCall;
  listProcesses(argument: _tautan_operator_v1_ListProcessesRequest, callback: grpc.requestCallback<_tautan_operator_v1_ListProcessesResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface ProcessOperatorHandlers extends grpc.UntypedServiceImplementation {
  GetProcess: grpc.handleUnaryCall<_tautan_operator_v1_GetProcessRequest__Output, _tautan_operator_v1_Process>;
  
  ListProcesses: grpc.handleUnaryCall<_tautan_operator_v1_ListProcessesRequest__Output, _tautan_operator_v1_ListProcessesResponse>;
  
}

export interface ProcessOperatorDefinition extends grpc.ServiceDefinition {
  GetProcess: MethodDefinition<_tautan_operator_v1_GetProcessRequest, _tautan_operator_v1_Process, _tautan_operator_v1_GetProcessRequest__Output, _tautan_operator_v1_Process__Output>
  ListProcesses: MethodDefinition<_tautan_operator_v1_ListProcessesRequest, _tautan_operator_v1_ListProcessesResponse, _tautan_operator_v1_ListProcessesRequest__Output, _tautan_operator_v1_ListProcessesResponse__Output>
}
