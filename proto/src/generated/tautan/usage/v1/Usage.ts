// Original file: usage.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetUsageRequest as _tautan_usage_v1_GetUsageRequest, GetUsageRequest__Output as _tautan_usage_v1_GetUsageRequest__Output } from '../../../tautan/usage/v1/GetUsageRequest.js';
import type { GetUsageResponse as _tautan_usage_v1_GetUsageResponse, GetUsageResponse__Output as _tautan_usage_v1_GetUsageResponse__Output } from '../../../tautan/usage/v1/GetUsageResponse.js';

export interface UsageClient extends grpc.Client {
  GetUsage(argument: _tautan_usage_v1_GetUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_usage_v1_GetUsageResponse__Output>): grpc.ClientUnaryCall;
  GetUsage(argument: _tautan_usage_v1_GetUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_usage_v1_GetUsageResponse__Output>): grpc.ClientUnaryCall;
  GetUsage(argument: _tautan_usage_v1_GetUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_usage_v1_GetUsageResponse__Output>): grpc.ClientUnaryCall;
  GetUsage(argument: _tautan_usage_v1_GetUsageRequest, callback: grpc.requestCallback<_tautan_usage_v1_GetUsageResponse__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _tautan_usage_v1_GetUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_usage_v1_GetUsageResponse__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _tautan_usage_v1_GetUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_usage_v1_GetUsageResponse__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _tautan_usage_v1_GetUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_usage_v1_GetUsageResponse__Output>): grpc.ClientUnaryCall;
  getUsage(argument: _tautan_usage_v1_GetUsageRequest, callback: grpc.requestCallback<_tautan_usage_v1_GetUsageResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface UsageHandlers extends grpc.UntypedServiceImplementation {
  GetUsage: grpc.handleUnaryCall<_tautan_usage_v1_GetUsageRequest__Output, _tautan_usage_v1_GetUsageResponse>;
  
}

export interface UsageDefinition extends grpc.ServiceDefinition {
  GetUsage: MethodDefinition<_tautan_usage_v1_GetUsageRequest, _tautan_usage_v1_GetUsageResponse, _tautan_usage_v1_GetUsageRequest__Output, _tautan_usage_v1_GetUsageResponse__Output>
}
