// Original file: links.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { GetLinkStatsRequest as _tautan_links_v1_GetLinkStatsRequest, GetLinkStatsRequest__Output as _tautan_links_v1_GetLinkStatsRequest__Output } from '../../../tautan/links/v1/GetLinkStatsRequest.js';
import type { GetQrCodeStatsRequest as _tautan_links_v1_GetQrCodeStatsRequest, GetQrCodeStatsRequest__Output as _tautan_links_v1_GetQrCodeStatsRequest__Output } from '../../../tautan/links/v1/GetQrCodeStatsRequest.js';
import type { GetWorkspaceStatsRequest as _tautan_links_v1_GetWorkspaceStatsRequest, GetWorkspaceStatsRequest__Output as _tautan_links_v1_GetWorkspaceStatsRequest__Output } from '../../../tautan/links/v1/GetWorkspaceStatsRequest.js';
import type { SubjectStats as _tautan_links_v1_SubjectStats, SubjectStats__Output as _tautan_links_v1_SubjectStats__Output } from '../../../tautan/links/v1/SubjectStats.js';
import type { WorkspaceStats as _tautan_links_v1_WorkspaceStats, WorkspaceStats__Output as _tautan_links_v1_WorkspaceStats__Output } from '../../../tautan/links/v1/WorkspaceStats.js';

export interface StatsClient extends grpc.Client {
  ExportLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  ExportLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  ExportLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  ExportLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  exportLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  exportLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  exportLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  exportLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  
  GetLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  GetLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  GetLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  GetLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  getLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  getLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  getLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  getLinkStats(argument: _tautan_links_v1_GetLinkStatsRequest, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  
  GetQrCodeStats(argument: _tautan_links_v1_GetQrCodeStatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  GetQrCodeStats(argument: _tautan_links_v1_GetQrCodeStatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  GetQrCodeStats(argument: _tautan_links_v1_GetQrCodeStatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  GetQrCodeStats(argument: _tautan_links_v1_GetQrCodeStatsRequest, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  getQrCodeStats(argument: _tautan_links_v1_GetQrCodeStatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  getQrCodeStats(argument: _tautan_links_v1_GetQrCodeStatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  getQrCodeStats(argument: _tautan_links_v1_GetQrCodeStatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  getQrCodeStats(argument: _tautan_links_v1_GetQrCodeStatsRequest, callback: grpc.requestCallback<_tautan_links_v1_SubjectStats__Output>): grpc.ClientUnaryCall;
  
  GetWorkspaceStats(argument: _tautan_links_v1_GetWorkspaceStatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_WorkspaceStats__Output>): grpc.ClientUnaryCall;
  GetWorkspaceStats(argument: _tautan_links_v1_GetWorkspaceStatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_WorkspaceStats__Output>): grpc.ClientUnaryCall;
  GetWorkspaceStats(argument: _tautan_links_v1_GetWorkspaceStatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_WorkspaceStats__Output>): grpc.ClientUnaryCall;
  GetWorkspaceStats(argument: _tautan_links_v1_GetWorkspaceStatsRequest, callback: grpc.requestCallback<_tautan_links_v1_WorkspaceStats__Output>): grpc.ClientUnaryCall;
  getWorkspaceStats(argument: _tautan_links_v1_GetWorkspaceStatsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_WorkspaceStats__Output>): grpc.ClientUnaryCall;
  getWorkspaceStats(argument: _tautan_links_v1_GetWorkspaceStatsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_WorkspaceStats__Output>): grpc.ClientUnaryCall;
  getWorkspaceStats(argument: _tautan_links_v1_GetWorkspaceStatsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_WorkspaceStats__Output>): grpc.ClientUnaryCall;
  getWorkspaceStats(argument: _tautan_links_v1_GetWorkspaceStatsRequest, callback: grpc.requestCallback<_tautan_links_v1_WorkspaceStats__Output>): grpc.ClientUnaryCall;
  
}

export interface StatsHandlers extends grpc.UntypedServiceImplementation {
  ExportLinkStats: grpc.handleUnaryCall<_tautan_links_v1_GetLinkStatsRequest__Output, _tautan_links_v1_SubjectStats>;
  
  GetLinkStats: grpc.handleUnaryCall<_tautan_links_v1_GetLinkStatsRequest__Output, _tautan_links_v1_SubjectStats>;
  
  GetQrCodeStats: grpc.handleUnaryCall<_tautan_links_v1_GetQrCodeStatsRequest__Output, _tautan_links_v1_SubjectStats>;
  
  GetWorkspaceStats: grpc.handleUnaryCall<_tautan_links_v1_GetWorkspaceStatsRequest__Output, _tautan_links_v1_WorkspaceStats>;
  
}

export interface StatsDefinition extends grpc.ServiceDefinition {
  ExportLinkStats: MethodDefinition<_tautan_links_v1_GetLinkStatsRequest, _tautan_links_v1_SubjectStats, _tautan_links_v1_GetLinkStatsRequest__Output, _tautan_links_v1_SubjectStats__Output>
  GetLinkStats: MethodDefinition<_tautan_links_v1_GetLinkStatsRequest, _tautan_links_v1_SubjectStats, _tautan_links_v1_GetLinkStatsRequest__Output, _tautan_links_v1_SubjectStats__Output>
  GetQrCodeStats: MethodDefinition<_tautan_links_v1_GetQrCodeStatsRequest, _tautan_links_v1_SubjectStats, _tautan_links_v1_GetQrCodeStatsRequest__Output, _tautan_links_v1_SubjectStats__Output>
  GetWorkspaceStats: MethodDefinition<_tautan_links_v1_GetWorkspaceStatsRequest, _tautan_links_v1_WorkspaceStats, _tautan_links_v1_GetWorkspaceStatsRequest__Output, _tautan_links_v1_WorkspaceStats__Output>
}
