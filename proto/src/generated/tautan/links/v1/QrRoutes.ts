// Original file: qr-routes.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { FindTagsRequest as _tautan_links_v1_FindTagsRequest, FindTagsRequest__Output as _tautan_links_v1_FindTagsRequest__Output } from '../../../tautan/links/v1/FindTagsRequest.js';
import type { FindTagsResponse as _tautan_links_v1_FindTagsResponse, FindTagsResponse__Output as _tautan_links_v1_FindTagsResponse__Output } from '../../../tautan/links/v1/FindTagsResponse.js';
import type { ListEndedQrRoutesRequest as _tautan_links_v1_ListEndedQrRoutesRequest, ListEndedQrRoutesRequest__Output as _tautan_links_v1_ListEndedQrRoutesRequest__Output } from '../../../tautan/links/v1/ListEndedQrRoutesRequest.js';
import type { ListEndedQrRoutesResponse as _tautan_links_v1_ListEndedQrRoutesResponse, ListEndedQrRoutesResponse__Output as _tautan_links_v1_ListEndedQrRoutesResponse__Output } from '../../../tautan/links/v1/ListEndedQrRoutesResponse.js';
import type { ListQrRoutesRequest as _tautan_links_v1_ListQrRoutesRequest, ListQrRoutesRequest__Output as _tautan_links_v1_ListQrRoutesRequest__Output } from '../../../tautan/links/v1/ListQrRoutesRequest.js';
import type { ListQrRoutesResponse as _tautan_links_v1_ListQrRoutesResponse, ListQrRoutesResponse__Output as _tautan_links_v1_ListQrRoutesResponse__Output } from '../../../tautan/links/v1/ListQrRoutesResponse.js';
import type { PutQrRouteRequest as _tautan_links_v1_PutQrRouteRequest, PutQrRouteRequest__Output as _tautan_links_v1_PutQrRouteRequest__Output } from '../../../tautan/links/v1/PutQrRouteRequest.js';
import type { QrRoute as _tautan_links_v1_QrRoute, QrRoute__Output as _tautan_links_v1_QrRoute__Output } from '../../../tautan/links/v1/QrRoute.js';
import type { RemoveQrRouteRequest as _tautan_links_v1_RemoveQrRouteRequest, RemoveQrRouteRequest__Output as _tautan_links_v1_RemoveQrRouteRequest__Output } from '../../../tautan/links/v1/RemoveQrRouteRequest.js';
import type { RemoveQrRouteResponse as _tautan_links_v1_RemoveQrRouteResponse, RemoveQrRouteResponse__Output as _tautan_links_v1_RemoveQrRouteResponse__Output } from '../../../tautan/links/v1/RemoveQrRouteResponse.js';

export interface QrRoutesClient extends grpc.Client {
  FindTags(argument: _tautan_links_v1_FindTagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_FindTagsResponse__Output>): grpc.ClientUnaryCall;
  FindTags(argument: _tautan_links_v1_FindTagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_FindTagsResponse__Output>): grpc.ClientUnaryCall;
  FindTags(argument: _tautan_links_v1_FindTagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_FindTagsResponse__Output>): grpc.ClientUnaryCall;
  FindTags(argument: _tautan_links_v1_FindTagsRequest, callback: grpc.requestCallback<_tautan_links_v1_FindTagsResponse__Output>): grpc.ClientUnaryCall;
  findTags(argument: _tautan_links_v1_FindTagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_FindTagsResponse__Output>): grpc.ClientUnaryCall;
  findTags(argument: _tautan_links_v1_FindTagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_FindTagsResponse__Output>): grpc.ClientUnaryCall;
  findTags(argument: _tautan_links_v1_FindTagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_FindTagsResponse__Output>): grpc.ClientUnaryCall;
  findTags(argument: _tautan_links_v1_FindTagsRequest, callback: grpc.requestCallback<_tautan_links_v1_FindTagsResponse__Output>): grpc.ClientUnaryCall;
  
  ListEndedQrRoutes(argument: _tautan_links_v1_ListEndedQrRoutesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListEndedQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  ListEndedQrRoutes(argument: _tautan_links_v1_ListEndedQrRoutesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListEndedQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  ListEndedQrRoutes(argument: _tautan_links_v1_ListEndedQrRoutesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListEndedQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  ListEndedQrRoutes(argument: _tautan_links_v1_ListEndedQrRoutesRequest, callback: grpc.requestCallback<_tautan_links_v1_ListEndedQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  listEndedQrRoutes(argument: _tautan_links_v1_ListEndedQrRoutesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListEndedQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  listEndedQrRoutes(argument: _tautan_links_v1_ListEndedQrRoutesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListEndedQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  listEndedQrRoutes(argument: _tautan_links_v1_ListEndedQrRoutesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListEndedQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  listEndedQrRoutes(argument: _tautan_links_v1_ListEndedQrRoutesRequest, callback: grpc.requestCallback<_tautan_links_v1_ListEndedQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  
  ListQrRoutes(argument: _tautan_links_v1_ListQrRoutesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  ListQrRoutes(argument: _tautan_links_v1_ListQrRoutesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  ListQrRoutes(argument: _tautan_links_v1_ListQrRoutesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  ListQrRoutes(argument: _tautan_links_v1_ListQrRoutesRequest, callback: grpc.requestCallback<_tautan_links_v1_ListQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  listQrRoutes(argument: _tautan_links_v1_ListQrRoutesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  listQrRoutes(argument: _tautan_links_v1_ListQrRoutesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  listQrRoutes(argument: _tautan_links_v1_ListQrRoutesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  listQrRoutes(argument: _tautan_links_v1_ListQrRoutesRequest, callback: grpc.requestCallback<_tautan_links_v1_ListQrRoutesResponse__Output>): grpc.ClientUnaryCall;
  
  PutQrRoute(argument: _tautan_links_v1_PutQrRouteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_QrRoute__Output>): grpc.ClientUnaryCall;
  PutQrRoute(argument: _tautan_links_v1_PutQrRouteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_QrRoute__Output>): grpc.ClientUnaryCall;
  PutQrRoute(argument: _tautan_links_v1_PutQrRouteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_QrRoute__Output>): grpc.ClientUnaryCall;
  PutQrRoute(argument: _tautan_links_v1_PutQrRouteRequest, callback: grpc.requestCallback<_tautan_links_v1_QrRoute__Output>): grpc.ClientUnaryCall;
  putQrRoute(argument: _tautan_links_v1_PutQrRouteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_QrRoute__Output>): grpc.ClientUnaryCall;
  putQrRoute(argument: _tautan_links_v1_PutQrRouteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_QrRoute__Output>): grpc.ClientUnaryCall;
  putQrRoute(argument: _tautan_links_v1_PutQrRouteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_QrRoute__Output>): grpc.ClientUnaryCall;
  putQrRoute(argument: _tautan_links_v1_PutQrRouteRequest, callback: grpc.requestCallback<_tautan_links_v1_QrRoute__Output>): grpc.ClientUnaryCall;
  
  RemoveQrRoute(argument: _tautan_links_v1_RemoveQrRouteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_RemoveQrRouteResponse__Output>): grpc.ClientUnaryCall;
  RemoveQrRoute(argument: _tautan_links_v1_RemoveQrRouteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_RemoveQrRouteResponse__Output>): grpc.ClientUnaryCall;
  RemoveQrRoute(argument: _tautan_links_v1_RemoveQrRouteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_RemoveQrRouteResponse__Output>): grpc.ClientUnaryCall;
  RemoveQrRoute(argument: _tautan_links_v1_RemoveQrRouteRequest, callback: grpc.requestCallback<_tautan_links_v1_RemoveQrRouteResponse__Output>): grpc.ClientUnaryCall;
  removeQrRoute(argument: _tautan_links_v1_RemoveQrRouteRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_RemoveQrRouteResponse__Output>): grpc.ClientUnaryCall;
  removeQrRoute(argument: _tautan_links_v1_RemoveQrRouteRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_RemoveQrRouteResponse__Output>): grpc.ClientUnaryCall;
  removeQrRoute(argument: _tautan_links_v1_RemoveQrRouteRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_RemoveQrRouteResponse__Output>): grpc.ClientUnaryCall;
  removeQrRoute(argument: _tautan_links_v1_RemoveQrRouteRequest, callback: grpc.requestCallback<_tautan_links_v1_RemoveQrRouteResponse__Output>): grpc.ClientUnaryCall;
  
}

export interface QrRoutesHandlers extends grpc.UntypedServiceImplementation {
  FindTags: grpc.handleUnaryCall<_tautan_links_v1_FindTagsRequest__Output, _tautan_links_v1_FindTagsResponse>;
  
  ListEndedQrRoutes: grpc.handleUnaryCall<_tautan_links_v1_ListEndedQrRoutesRequest__Output, _tautan_links_v1_ListEndedQrRoutesResponse>;
  
  ListQrRoutes: grpc.handleUnaryCall<_tautan_links_v1_ListQrRoutesRequest__Output, _tautan_links_v1_ListQrRoutesResponse>;
  
  PutQrRoute: grpc.handleUnaryCall<_tautan_links_v1_PutQrRouteRequest__Output, _tautan_links_v1_QrRoute>;
  
  RemoveQrRoute: grpc.handleUnaryCall<_tautan_links_v1_RemoveQrRouteRequest__Output, _tautan_links_v1_RemoveQrRouteResponse>;
  
}

export interface QrRoutesDefinition extends grpc.ServiceDefinition {
  FindTags: MethodDefinition<_tautan_links_v1_FindTagsRequest, _tautan_links_v1_FindTagsResponse, _tautan_links_v1_FindTagsRequest__Output, _tautan_links_v1_FindTagsResponse__Output>
  ListEndedQrRoutes: MethodDefinition<_tautan_links_v1_ListEndedQrRoutesRequest, _tautan_links_v1_ListEndedQrRoutesResponse, _tautan_links_v1_ListEndedQrRoutesRequest__Output, _tautan_links_v1_ListEndedQrRoutesResponse__Output>
  ListQrRoutes: MethodDefinition<_tautan_links_v1_ListQrRoutesRequest, _tautan_links_v1_ListQrRoutesResponse, _tautan_links_v1_ListQrRoutesRequest__Output, _tautan_links_v1_ListQrRoutesResponse__Output>
  PutQrRoute: MethodDefinition<_tautan_links_v1_PutQrRouteRequest, _tautan_links_v1_QrRoute, _tautan_links_v1_PutQrRouteRequest__Output, _tautan_links_v1_QrRoute__Output>
  RemoveQrRoute: MethodDefinition<_tautan_links_v1_RemoveQrRouteRequest, _tautan_links_v1_RemoveQrRouteResponse, _tautan_links_v1_RemoveQrRouteRequest__Output, _tautan_links_v1_RemoveQrRouteResponse__Output>
}
