// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BeginRequestRequest as _tautan_workspaces_v1_BeginRequestRequest, BeginRequestRequest__Output as _tautan_workspaces_v1_BeginRequestRequest__Output } from '../../../tautan/workspaces/v1/BeginRequestRequest.js';
import type { BeginRequestResponse as _tautan_workspaces_v1_BeginRequestResponse, BeginRequestResponse__Output as _tautan_workspaces_v1_BeginRequestResponse__Output } from '../../../tautan/workspaces/v1/BeginRequestResponse.js';
import type { CompleteRequestRequest as _tautan_workspaces_v1_CompleteRequestRequest, CompleteRequestRequest__Output as _tautan_workspaces_v1_CompleteRequestRequest__Output } from '../../../tautan/workspaces/v1/CompleteRequestRequest.js';
import type { CompleteRequestResponse as _tautan_workspaces_v1_CompleteRequestResponse, CompleteRequestResponse__Output as _tautan_workspaces_v1_CompleteRequestResponse__Output } from '../../../tautan/workspaces/v1/CompleteRequestResponse.js';
import type { ReleaseRequestRequest as _tautan_workspaces_v1_ReleaseRequestRequest, ReleaseRequestRequest__Output as _tautan_workspaces_v1_ReleaseRequestRequest__Output } from '../../../tautan/workspaces/v1/ReleaseRequestRequest.js';
import type { ReleaseRequestResponse as _tautan_workspaces_v1_ReleaseRequestResponse, ReleaseRequestResponse__Output as _tautan_workspaces_v1_ReleaseRequestResponse__Output } from '../../../tautan/workspaces/v1/ReleaseRequestResponse.js';

export interface IdempotencyClient extends grpc.Client {
  BeginRequest(argument: _tautan_workspaces_v1_BeginRequestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_BeginRequestResponse__Output>): grpc.ClientUnaryCall;
  BeginRequest(argument: _tautan_workspaces_v1_BeginRequestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_BeginRequestResponse__Output>): grpc.ClientUnaryCall;
  BeginRequest(argument: _tautan_workspaces_v1_BeginRequestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_BeginRequestResponse__Output>): grpc.ClientUnaryCall;
  BeginRequest(argument: _tautan_workspaces_v1_BeginRequestRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_BeginRequestResponse__Output>): grpc.ClientUnaryCall;
  beginRequest(argument: _tautan_workspaces_v1_BeginRequestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_BeginRequestResponse__Output>): grpc.ClientUnaryCall;
  beginRequest(argument: _tautan_workspaces_v1_BeginRequestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_BeginRequestResponse__Output>): grpc.ClientUnaryCall;
  beginRequest(argument: _tautan_workspaces_v1_BeginRequestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_BeginRequestResponse__Output>): grpc.ClientUnaryCall;
  beginRequest(argument: _tautan_workspaces_v1_BeginRequestRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_BeginRequestResponse__Output>): grpc.ClientUnaryCall;
  
  CompleteRequest(argument: _tautan_workspaces_v1_CompleteRequestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_CompleteRequestResponse__Output>): grpc.ClientUnaryCall;
  CompleteRequest(argument: _tautan_workspaces_v1_CompleteRequestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_CompleteRequestResponse__Output>): grpc.ClientUnaryCall;
  CompleteRequest(argument: _tautan_workspaces_v1_CompleteRequestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_CompleteRequestResponse__Output>): grpc.ClientUnaryCall;
  CompleteRequest(argument: _tautan_workspaces_v1_CompleteRequestRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_CompleteRequestResponse__Output>): grpc.ClientUnaryCall;
  completeRequest(argument: _tautan_workspaces_v1_CompleteRequestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_CompleteRequestResponse__Output>): grpc.ClientUnaryCall;
  completeRequest(argument: _tautan_workspaces_v1_CompleteRequestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_CompleteRequestResponse__Output>): grpc.ClientUnaryCall;
  completeRequest(argument: _tautan_workspaces_v1_CompleteRequestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_CompleteRequestResponse__Output>): grpc.ClientUnaryCall;
  completeRequest(argument: _tautan_workspaces_v1_CompleteRequestRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_CompleteRequestResponse__Output>): grpc.ClientUnaryCall;
  
  ReleaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  ReleaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  ReleaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  ReleaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  releaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  releaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  releaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  releaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface IdempotencyHandlers extends grpc.UntypedServiceImplementation {
  BeginRequest: grpc.handleUnaryCall<_tautan_workspaces_v1_BeginRequestRequest__Output, _tautan_workspaces_v1_BeginRequestResponse>;
  
  CompleteRequest: grpc.handleUnaryCall<_tautan_workspaces_v1_CompleteRequestRequest__Output, _tautan_workspaces_v1_CompleteRequestResponse>;
  
  ReleaseRequest: grpc.handleUnaryCall<_tautan_workspaces_v1_ReleaseRequestRequest__Output, _tautan_workspaces_v1_ReleaseRequestResponse>;
  
}

export interface IdempotencyDefinition extends grpc.ServiceDefinition {
  BeginRequest: MethodDefinition<_tautan_workspaces_v1_BeginRequestRequest, _tautan_workspaces_v1_BeginRequestResponse, _tautan_workspaces_v1_BeginRequestRequest__Output, _tautan_workspaces_v1_BeginRequestResponse__Output>
  CompleteRequest: MethodDefinition<_tautan_workspaces_v1_CompleteRequestRequest, _tautan_workspaces_v1_CompleteRequestResponse, _tautan_workspaces_v1_CompleteRequestRequest__Output, _tautan_workspaces_v1_CompleteRequestResponse__Output>
  ReleaseRequest: MethodDefinition<_tautan_workspaces_v1_ReleaseRequestRequest, _tautan_workspaces_v1_ReleaseRequestResponse, _tautan_workspaces_v1_ReleaseRequestRequest__Output, _tautan_workspaces_v1_ReleaseRequestResponse__Output>
}
