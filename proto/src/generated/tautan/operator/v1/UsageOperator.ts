// Original file: operator.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CheckUsageRequest as _tautan_operator_v1_CheckUsageRequest, CheckUsageRequest__Output as _tautan_operator_v1_CheckUsageRequest__Output } from '../../../tautan/operator/v1/CheckUsageRequest.js';
import type { CheckUsageResponse as _tautan_operator_v1_CheckUsageResponse, CheckUsageResponse__Output as _tautan_operator_v1_CheckUsageResponse__Output } from '../../../tautan/operator/v1/CheckUsageResponse.js';

export interface UsageOperatorClient extends grpc.Client {
  CheckUsage(argument: _tautan_operator_v1_CheckUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_CheckUsageResponse__Output>): grpc.ClientUnaryCall;
  CheckUsage(argument: _tautan_operator_v1_CheckUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_CheckUsageResponse__Output>): grpc.ClientUnaryCall;
  CheckUsage(argument: _tautan_operator_v1_CheckUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_CheckUsageResponse__Output>): grpc.ClientUnaryCall;
  CheckUsage(argument: _tautan_operator_v1_CheckUsageRequest, callback: grpc.requestCallback<_tautan_operator_v1_CheckUsageResponse__Output>): grpc.ClientUnaryCall;
  checkUsage(argument: _tautan_operator_v1_CheckUsageRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_CheckUsageResponse__Output>): grpc.ClientUnaryCall;
  checkUsage(argument: _tautan_operator_v1_CheckUsageRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_CheckUsageResponse__Output>): grpc.ClientUnaryCall;
  checkUsage(argument: _tautan_operator_v1_CheckUsageRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_CheckUsageResponse__Output>): grpc.ClientUnaryCall;
  checkUsage(argument: _tautan_operator_v1_CheckUsageRequest, callback: grpc.requestCallback<_tautan_operator_v1_CheckUsageResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface UsageOperatorHandlers extends grpc.UntypedServiceImplementation {
  CheckUsage: grpc.handleUnaryCall<_tautan_operator_v1_CheckUsageRequest__Output, _tautan_operator_v1_CheckUsageResponse>;
  
}

export interface UsageOperatorDefinition extends grpc.ServiceDefinition {
  CheckUsage: MethodDefinition<_tautan_operator_v1_CheckUsageRequest, _tautan_operator_v1_CheckUsageResponse, _tautan_operator_v1_CheckUsageRequest__Output, _tautan_operator_v1_CheckUsageResponse__Output>
}
