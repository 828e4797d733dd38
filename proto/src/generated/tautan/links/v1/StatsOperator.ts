// Original file: links.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { RebuildDayRequest as _tautan_links_v1_RebuildDayRequest, RebuildDayRequest__Output as _tautan_links_v1_RebuildDayRequest__Output } from '../../../tautan/links/v1/RebuildDayRequest.js';
import type { RebuiltDay as _tautan_links_v1_RebuiltDay, RebuiltDay__Output as _tautan_links_v1_RebuiltDay__Output } from '../../../tautan/links/v1/RebuiltDay.js';

export interface StatsOperatorClient extends grpc.Client {
  RebuildDay(argument: _tautan_links_v1_RebuildDayRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_RebuiltDay__Output>): grpc.ClientUnaryCall;
  RebuildDay(argument: _tautan_links_v1_RebuildDayRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_RebuiltDay__Output>): grpc.ClientUnaryCall;
  RebuildDay(argument: _tautan_links_v1_RebuildDayRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_RebuiltDay__Output>): grpc.ClientUnaryCall;
  RebuildDay(argument: _tautan_links_v1_RebuildDayRequest, callback: grpc.requestCallback<_tautan_links_v1_RebuiltDay__Output>): grpc.ClientUnaryCall;
  rebuildDay(argument: _tautan_links_v1_RebuildDayRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_RebuiltDay__Output>): grpc.ClientUnaryCall;
  rebuildDay(argument: _tautan_links_v1_RebuildDayRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_RebuiltDay__Output>): grpc.ClientUnaryCall;
  rebuildDay(argument: _tautan_links_v1_RebuildDayRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_RebuiltDay__Output>): grpc.ClientUnaryCall;
  rebuildDay(argument: _tautan_links_v1_RebuildDayRequest, callback: grpc.requestCallback<_tautan_links_v1_RebuiltDay__Output>): grpc.ClientUnaryCall;
  
}

export interface StatsOperatorHandlers extends grpc.UntypedServiceImplementation {
  RebuildDay: grpc.handleUnaryCall<_tautan_links_v1_RebuildDayRequest__Output, _tautan_links_v1_RebuiltDay>;
  
}

export interface StatsOperatorDefinition extends grpc.ServiceDefinition {
  RebuildDay: MethodDefinition<_tautan_links_v1_RebuildDayRequest, _tautan_links_v1_RebuiltDay, _tautan_links_v1_RebuildDayRequest__Output, _tautan_links_v1_RebuiltDay__Output>
}
