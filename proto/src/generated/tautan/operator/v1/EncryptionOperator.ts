// Original file: operator.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { RenewEncryptionRequest as _tautan_operator_v1_RenewEncryptionRequest, RenewEncryptionRequest__Output as _tautan_operator_v1_RenewEncryptionRequest__Output } from '../../../tautan/operator/v1/RenewEncryptionRequest.js';
import type { RenewEncryptionResponse as _tautan_operator_v1_RenewEncryptionResponse, RenewEncryptionResponse__Output as _tautan_operator_v1_RenewEncryptionResponse__Output } from '../../../tautan/operator/v1/RenewEncryptionResponse.js';

export interface EncryptionOperatorClient extends grpc.Client {
  RenewEncryption(argument: _tautan_operator_v1_RenewEncryptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_RenewEncryptionResponse__Output>): grpc.ClientUnaryCall;
  RenewEncryption(argument: _tautan_operator_v1_RenewEncryptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_RenewEncryptionResponse__Output>): grpc.ClientUnaryCall;
  RenewEncryption(argument: _tautan_operator_v1_RenewEncryptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_RenewEncryptionResponse__Output>): grpc.ClientUnaryCall;
  RenewEncryption(argument: _tautan_operator_v1_RenewEncryptionRequest, callback: grpc.requestCallback<_tautan_operator_v1_RenewEncryptionResponse__Output>): grpc.ClientUnaryCall;
  renewEncryption(argument: _tautan_operator_v1_RenewEncryptionRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_RenewEncryptionResponse__Output>): grpc.ClientUnaryCall;
  renewEncryption(argument: _tautan_operator_v1_RenewEncryptionRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_RenewEncryptionResponse__Output>): grpc.ClientUnaryCall;
  renewEncryption(argument: _tautan_operator_v1_RenewEncryptionRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_RenewEncryptionResponse__Output>): grpc.ClientUnaryCall;
  renewEncryption(argument: _tautan_operator_v1_RenewEncryptionRequest, callback: grpc.requestCallback<_tautan_operator_v1_RenewEncryptionResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface EncryptionOperatorHandlers extends grpc.UntypedServiceImplementation {
  RenewEncryption: grpc.handleUnaryCall<_tautan_operator_v1_RenewEncryptionRequest__Output, _tautan_operator_v1_RenewEncryptionResponse>;
  
}

export interface EncryptionOperatorDefinition extends grpc.ServiceDefinition {
  RenewEncryption: MethodDefinition<_tautan_operator_v1_RenewEncryptionRequest, _tautan_operator_v1_RenewEncryptionResponse, _tautan_operator_v1_RenewEncryptionRequest__Output, _tautan_operator_v1_RenewEncryptionResponse__Output>
}
