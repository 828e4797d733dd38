// Original file: operator.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { ShardCollectionsRequest as _tautan_operator_v1_ShardCollectionsRequest, ShardCollectionsRequest__Output as _tautan_operator_v1_ShardCollectionsRequest__Output } from '../../../tautan/operator/v1/ShardCollectionsRequest.js';
import type { ShardCollectionsResponse as _tautan_operator_v1_ShardCollectionsResponse, ShardCollectionsResponse__Output as _tautan_operator_v1_ShardCollectionsResponse__Output } from '../../../tautan/operator/v1/ShardCollectionsResponse.js';

export interface ShardingOperatorClient extends grpc.Client {
  ShardCollections(argument: _tautan_operator_v1_ShardCollectionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ShardCollectionsResponse__Output>): grpc.ClientUnaryCall;
  ShardCollections(argument: _tautan_operator_v1_ShardCollectionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_ShardCollectionsResponse__Output>): grpc.ClientUnaryCall;
  ShardCollections(argument: _tautan_operator_v1_ShardCollectionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ShardCollectionsResponse__Output>): grpc.ClientUnaryCall;
  ShardCollections(argument: _tautan_operator_v1_ShardCollectionsRequest, callback: grpc.requestCallback<_tautan_operator_v1_ShardCollectionsResponse__Output>): grpc.ClientUnaryCall;
  shardCollections(argument: _tautan_operator_v1_ShardCollectionsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ShardCollectionsResponse__Output>): grpc.ClientUnaryCall;
  shardCollections(argument: _tautan_operator_v1_ShardCollectionsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_ShardCollectionsResponse__Output>): grpc.ClientUnaryCall;
  shardCollections(argument: _tautan_operator_v1_ShardCollectionsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ShardCollectionsResponse__Output>): grpc.ClientUnaryCall;
  shardCollections(argument: _tautan_operator_v1_ShardCollectionsRequest, callback: grpc.requestCallback<_tautan_operator_v1_ShardCollectionsResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface ShardingOperatorHandlers extends grpc.UntypedServiceImplementation {
  ShardCollections: grpc.handleUnaryCall<_tautan_operator_v1_ShardCollectionsRequest__Output, _tautan_operator_v1_ShardCollectionsResponse>;
  
}

export interface ShardingOperatorDefinition extends grpc.ServiceDefinition {
  ShardCollections: MethodDefinition<_tautan_operator_v1_ShardCollectionsRequest, _tautan_operator_v1_ShardCollectionsResponse, _tautan_operator_v1_ShardCollectionsRequest__Output, _tautan_operator_v1_ShardCollectionsResponse__Output>
}
