// Original file: operator.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { DeadLetter as _tautan_operator_v1_DeadLetter, DeadLetter__Output as _tautan_operator_v1_DeadLetter__Output } from '../../../tautan/operator/v1/DeadLetter.js';
import type { DeadLetterRequest as _tautan_operator_v1_DeadLetterRequest, DeadLetterRequest__Output as _tautan_operator_v1_DeadLetterRequest__Output } from '../../../tautan/operator/v1/DeadLetterRequest.js';
import type { ListDeadLettersRequest as _tautan_operator_v1_ListDeadLettersRequest, ListDeadLettersRequest__Output as _tautan_operator_v1_ListDeadLettersRequest__Output } from '../../../tautan/operator/v1/ListDeadLettersRequest.js';
import type { ListDeadLettersResponse as _tautan_operator_v1_ListDeadLettersResponse, ListDeadLettersResponse__Output as _tautan_operator_v1_ListDeadLettersResponse__Output } from '../../../tautan/operator/v1/ListDeadLettersResponse.js';

export interface DeadLetterOperatorClient extends grpc.Client {
  GetDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  GetDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  GetDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  GetDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  getDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  getDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  getDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  getDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  
  ListDeadLetters(argument: _tautan_operator_v1_ListDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _tautan_operator_v1_ListDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _tautan_operator_v1_ListDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  ListDeadLetters(argument: _tautan_operator_v1_ListDeadLettersRequest, callback: grpc.requestCallback<_tautan_operator_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _tautan_operator_v1_ListDeadLettersRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _tautan_operator_v1_ListDeadLettersRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _tautan_operator_v1_ListDeadLettersRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  listDeadLetters(argument: _tautan_operator_v1_ListDeadLettersRequest, callback: grpc.requestCallback<_tautan_operator_v1_ListDeadLettersResponse__Output>): grpc.ClientUnaryCall;
  
  ReplayDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  ReplayDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  replayDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  replayDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  replayDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  replayDeadLetter(argument: _tautan_operator_v1_DeadLetterRequest, callback: grpc.requestCallback<_tautan_operator_v1_DeadLetter__Output>): grpc.ClientUnaryCall;
  
}

export interface DeadLetterOperatorHandlers extends grpc.UntypedServiceImplementation {
  GetDeadLetter: grpc.handleUnaryCall<_tautan_operator_v1_DeadLetterRequest__Output, _tautan_operator_v1_DeadLetter>;
  
  ListDeadLetters: grpc.handleUnaryCall<_tautan_operator_v1_ListDeadLettersRequest__Output, _tautan_operator_v1_ListDeadLettersResponse>;
  
  ReplayDeadLetter: grpc.handleUnaryCall<_tautan_operator_v1_DeadLetterRequest__Output, _tautan_operator_v1_DeadLetter>;
  
}

export interface DeadLetterOperatorDefinition extends grpc.ServiceDefinition {
  GetDeadLetter: MethodDefinition<_tautan_operator_v1_DeadLetterRequest, _tautan_operator_v1_DeadLetter, _tautan_operator_v1_DeadLetterRequest__Output, _tautan_operator_v1_DeadLetter__Output>
  ListDeadLetters: MethodDefinition<_tautan_operator_v1_ListDeadLettersRequest, _tautan_operator_v1_ListDeadLettersResponse, _tautan_operator_v1_ListDeadLettersRequest__Output, _tautan_operator_v1_ListDeadLettersResponse__Output>
  ReplayDeadLetter: MethodDefinition<_tautan_operator_v1_DeadLetterRequest, _tautan_operator_v1_DeadLetter, _tautan_operator_v1_DeadLetterRequest__Output, _tautan_operator_v1_DeadLetter__Output>
}
