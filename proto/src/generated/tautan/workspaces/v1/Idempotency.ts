// Original file: workspaces.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BeginRequestRequest as _tautan_workspaces_v1_BeginRequestRequest, BeginRequestRequest__Output as _tautan_workspaces_v1_BeginRequestRequest__Output } from '../../../tautan/workspaces/v1/BeginRequestRequest.js';
import type { BeginRequestResponse as _tautan_workspaces_v1_BeginRequestResponse, BeginRequestResponse__Output as _tautan_workspaces_v1_BeginRequestResponse__Output } from '../../../tautan/workspaces/v1/BeginRequestResponse.js';
import type { CompleteRequestRequest as _tautan_workspaces_v1_CompleteRequestRequest, CompleteRequestRequest__Output as _tautan_workspaces_v1_CompleteRequestRequest__Output } from '../../../tautan/workspaces/v1/CompleteRequestRequest.js';
import type { CompleteRequestResponse as _tautan_workspaces_v1_CompleteRequestResponse, CompleteRequestResponse__Output as _tautan_workspaces_v1_CompleteRequestResponse__Output } from '../../../tautan/workspaces/v1/CompleteRequestResponse.js';
import type { ReleaseInstanceResponse as _tautan_workspaces_v1_ReleaseInstanceResponse, ReleaseInstanceResponse__Output as _tautan_workspaces_v1_ReleaseInstanceResponse__Output } from '../../../tautan/workspaces/v1/ReleaseInstanceResponse.js';
import type { ReleaseRequestRequest as _tautan_workspaces_v1_ReleaseRequestRequest, ReleaseRequestRequest__Output as _tautan_workspaces_v1_ReleaseRequestRequest__Output } from '../../../tautan/workspaces/v1/ReleaseRequestRequest.js';
import type { ReleaseRequestResponse as _tautan_workspaces_v1_ReleaseRequestResponse, ReleaseRequestResponse__Output as _tautan_workspaces_v1_ReleaseRequestResponse__Output } from '../../../tautan/workspaces/v1/ReleaseRequestResponse.js';
import type { RenewRequestsRequest as _tautan_workspaces_v1_RenewRequestsRequest, RenewRequestsRequest__Output as _tautan_workspaces_v1_RenewRequestsRequest__Output } from '../../../tautan/workspaces/v1/RenewRequestsRequest.js';
import type { RenewRequestsResponse as _tautan_workspaces_v1_RenewRequestsResponse, RenewRequestsResponse__Output as _tautan_workspaces_v1_RenewRequestsResponse__Output } from '../../../tautan/workspaces/v1/RenewRequestsResponse.js';
import type { RequestHolder as _tautan_workspaces_v1_RequestHolder, RequestHolder__Output as _tautan_workspaces_v1_RequestHolder__Output } from '../../../tautan/workspaces/v1/RequestHolder.js';

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
  
  ReleaseInstance(argument: _tautan_workspaces_v1_RequestHolder, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseInstanceResponse__Output>): grpc.ClientUnaryCall;
  ReleaseInstance(argument: _tautan_workspaces_v1_RequestHolder, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseInstanceResponse__Output>): grpc.ClientUnaryCall;
  ReleaseInstance(argument: _tautan_workspaces_v1_RequestHolder, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseInstanceResponse__Output>): grpc.ClientUnaryCall;
  ReleaseInstance(argument: _tautan_workspaces_v1_RequestHolder, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseInstanceResponse__Output>): grpc.ClientUnaryCall;
  releaseInstance(argument: _tautan_workspaces_v1_RequestHolder, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseInstanceResponse__Output>): grpc.ClientUnaryCall;
  releaseInstance(argument: _tautan_workspaces_v1_RequestHolder, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseInstanceResponse__Output>): grpc.ClientUnaryCall;
  releaseInstance(argument: _tautan_workspaces_v1_RequestHolder, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseInstanceResponse__Output>): grpc.ClientUnaryCall;
  releaseInstance(argument: _tautan_workspaces_v1_RequestHolder, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseInstanceResponse__Output>): grpc.ClientUnaryCall;
  
  ReleaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  ReleaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  ReleaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  ReleaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  releaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  releaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  releaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  releaseRequest(argument: _tautan_workspaces_v1_ReleaseRequestRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_ReleaseRequestResponse__Output>): grpc.ClientUnaryCall;
  
  RenewRequests(argument: _tautan_workspaces_v1_RenewRequestsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RenewRequestsResponse__Output>): grpc.ClientUnaryCall;
  RenewRequests(argument: _tautan_workspaces_v1_RenewRequestsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RenewRequestsResponse__Output>): grpc.ClientUnaryCall;
  RenewRequests(argument: _tautan_workspaces_v1_RenewRequestsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RenewRequestsResponse__Output>): grpc.ClientUnaryCall;
  RenewRequests(argument: _tautan_workspaces_v1_RenewRequestsRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RenewRequestsResponse__Output>): grpc.ClientUnaryCall;
  renewRequests(argument: _tautan_workspaces_v1_RenewRequestsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RenewRequestsResponse__Output>): grpc.ClientUnaryCall;
  renewRequests(argument: _tautan_workspaces_v1_RenewRequestsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_workspaces_v1_RenewRequestsResponse__Output>): grpc.ClientUnaryCall;
  renewRequests(argument: _tautan_workspaces_v1_RenewRequestsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_workspaces_v1_RenewRequestsResponse__Output>): grpc.ClientUnaryCall;
  renewRequests(argument: _tautan_workspaces_v1_RenewRequestsRequest, callback: grpc.requestCallback<_tautan_workspaces_v1_RenewRequestsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface IdempotencyHandlers extends grpc.UntypedServiceImplementation {
  BeginRequest: grpc.handleUnaryCall<_tautan_workspaces_v1_BeginRequestRequest__Output, _tautan_workspaces_v1_BeginRequestResponse>;
  
  CompleteRequest: grpc.handleUnaryCall<_tautan_workspaces_v1_CompleteRequestRequest__Output, _tautan_workspaces_v1_CompleteRequestResponse>;
  
  ReleaseInstance: grpc.handleUnaryCall<_tautan_workspaces_v1_RequestHolder__Output, _tautan_workspaces_v1_ReleaseInstanceResponse>;
  
  ReleaseRequest: grpc.handleUnaryCall<_tautan_workspaces_v1_ReleaseRequestRequest__Output, _tautan_workspaces_v1_ReleaseRequestResponse>;
  
  RenewRequests: grpc.handleUnaryCall<_tautan_workspaces_v1_RenewRequestsRequest__Output, _tautan_workspaces_v1_RenewRequestsResponse>;
  
}

export interface IdempotencyDefinition extends grpc.ServiceDefinition {
  BeginRequest: MethodDefinition<_tautan_workspaces_v1_BeginRequestRequest, _tautan_workspaces_v1_BeginRequestResponse, _tautan_workspaces_v1_BeginRequestRequest__Output, _tautan_workspaces_v1_BeginRequestResponse__Output>
  CompleteRequest: MethodDefinition<_tautan_workspaces_v1_CompleteRequestRequest, _tautan_workspaces_v1_CompleteRequestResponse, _tautan_workspaces_v1_CompleteRequestRequest__Output, _tautan_workspaces_v1_CompleteRequestResponse__Output>
  ReleaseInstance: MethodDefinition<_tautan_workspaces_v1_RequestHolder, _tautan_workspaces_v1_ReleaseInstanceResponse, _tautan_workspaces_v1_RequestHolder__Output, _tautan_workspaces_v1_ReleaseInstanceResponse__Output>
  ReleaseRequest: MethodDefinition<_tautan_workspaces_v1_ReleaseRequestRequest, _tautan_workspaces_v1_ReleaseRequestResponse, _tautan_workspaces_v1_ReleaseRequestRequest__Output, _tautan_workspaces_v1_ReleaseRequestResponse__Output>
  RenewRequests: MethodDefinition<_tautan_workspaces_v1_RenewRequestsRequest, _tautan_workspaces_v1_RenewRequestsResponse, _tautan_workspaces_v1_RenewRequestsRequest__Output, _tautan_workspaces_v1_RenewRequestsResponse__Output>
}
