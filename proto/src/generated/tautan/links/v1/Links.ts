// Original file: links.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { BulkLinksRequest as _tautan_links_v1_BulkLinksRequest, BulkLinksRequest__Output as _tautan_links_v1_BulkLinksRequest__Output } from '../../../tautan/links/v1/BulkLinksRequest.js';
import type { BulkLinksResponse as _tautan_links_v1_BulkLinksResponse, BulkLinksResponse__Output as _tautan_links_v1_BulkLinksResponse__Output } from '../../../tautan/links/v1/BulkLinksResponse.js';
import type { CreateLinkRequest as _tautan_links_v1_CreateLinkRequest, CreateLinkRequest__Output as _tautan_links_v1_CreateLinkRequest__Output } from '../../../tautan/links/v1/CreateLinkRequest.js';
import type { DeleteLinkRequest as _tautan_links_v1_DeleteLinkRequest, DeleteLinkRequest__Output as _tautan_links_v1_DeleteLinkRequest__Output } from '../../../tautan/links/v1/DeleteLinkRequest.js';
import type { DeleteLinkResponse as _tautan_links_v1_DeleteLinkResponse, DeleteLinkResponse__Output as _tautan_links_v1_DeleteLinkResponse__Output } from '../../../tautan/links/v1/DeleteLinkResponse.js';
import type { ExportLinksChunk as _tautan_links_v1_ExportLinksChunk, ExportLinksChunk__Output as _tautan_links_v1_ExportLinksChunk__Output } from '../../../tautan/links/v1/ExportLinksChunk.js';
import type { ExportLinksRequest as _tautan_links_v1_ExportLinksRequest, ExportLinksRequest__Output as _tautan_links_v1_ExportLinksRequest__Output } from '../../../tautan/links/v1/ExportLinksRequest.js';
import type { GetLinkRequest as _tautan_links_v1_GetLinkRequest, GetLinkRequest__Output as _tautan_links_v1_GetLinkRequest__Output } from '../../../tautan/links/v1/GetLinkRequest.js';
import type { ImportLinksRequest as _tautan_links_v1_ImportLinksRequest, ImportLinksRequest__Output as _tautan_links_v1_ImportLinksRequest__Output } from '../../../tautan/links/v1/ImportLinksRequest.js';
import type { ImportLinksResponse as _tautan_links_v1_ImportLinksResponse, ImportLinksResponse__Output as _tautan_links_v1_ImportLinksResponse__Output } from '../../../tautan/links/v1/ImportLinksResponse.js';
import type { Link as _tautan_links_v1_Link, Link__Output as _tautan_links_v1_Link__Output } from '../../../tautan/links/v1/Link.js';
import type { ListLinksRequest as _tautan_links_v1_ListLinksRequest, ListLinksRequest__Output as _tautan_links_v1_ListLinksRequest__Output } from '../../../tautan/links/v1/ListLinksRequest.js';
import type { ListLinksResponse as _tautan_links_v1_ListLinksResponse, ListLinksResponse__Output as _tautan_links_v1_ListLinksResponse__Output } from '../../../tautan/links/v1/ListLinksResponse.js';
import type { UpdateLinkRequest as _tautan_links_v1_UpdateLinkRequest, UpdateLinkRequest__Output as _tautan_links_v1_UpdateLinkRequest__Output } from '../../../tautan/links/v1/UpdateLinkRequest.js';

export interface LinksClient extends grpc.Client {
  BulkLinks(argument: _tautan_links_v1_BulkLinksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_BulkLinksResponse__Output>): grpc.ClientUnaryCall;
  BulkLinks(argument: _tautan_links_v1_BulkLinksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_BulkLinksResponse__Output>): grpc.ClientUnaryCall;
  BulkLinks(argument: _tautan_links_v1_BulkLinksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_BulkLinksResponse__Output>): grpc.ClientUnaryCall;
  BulkLinks(argument: _tautan_links_v1_BulkLinksRequest, callback: grpc.requestCallback<_tautan_links_v1_BulkLinksResponse__Output>): grpc.ClientUnaryCall;
  bulkLinks(argument: _tautan_links_v1_BulkLinksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_BulkLinksResponse__Output>): grpc.ClientUnaryCall;
  bulkLinks(argument: _tautan_links_v1_BulkLinksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_BulkLinksResponse__Output>): grpc.ClientUnaryCall;
  bulkLinks(argument: _tautan_links_v1_BulkLinksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_BulkLinksResponse__Output>): grpc.ClientUnaryCall;
  bulkLinks(argument: _tautan_links_v1_BulkLinksRequest, callback: grpc.requestCallback<_tautan_links_v1_BulkLinksResponse__Output>): grpc.ClientUnaryCall;
  
  CreateLink(argument: _tautan_links_v1_CreateLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  CreateLink(argument: _tautan_links_v1_CreateLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  CreateLink(argument: _tautan_links_v1_CreateLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  CreateLink(argument: _tautan_links_v1_CreateLinkRequest, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  createLink(argument: _tautan_links_v1_CreateLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  createLink(argument: _tautan_links_v1_CreateLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  createLink(argument: _tautan_links_v1_CreateLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  createLink(argument: _tautan_links_v1_CreateLinkRequest, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  
  DeleteLink(argument: _tautan_links_v1_DeleteLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteLinkResponse__Output>): grpc.ClientUnaryCall;
  DeleteLink(argument: _tautan_links_v1_DeleteLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_DeleteLinkResponse__Output>): grpc.ClientUnaryCall;
  DeleteLink(argument: _tautan_links_v1_DeleteLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteLinkResponse__Output>): grpc.ClientUnaryCall;
  DeleteLink(argument: _tautan_links_v1_DeleteLinkRequest, callback: grpc.requestCallback<_tautan_links_v1_DeleteLinkResponse__Output>): grpc.ClientUnaryCall;
  deleteLink(argument: _tautan_links_v1_DeleteLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteLinkResponse__Output>): grpc.ClientUnaryCall;
  deleteLink(argument: _tautan_links_v1_DeleteLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_DeleteLinkResponse__Output>): grpc.ClientUnaryCall;
  deleteLink(argument: _tautan_links_v1_DeleteLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteLinkResponse__Output>): grpc.ClientUnaryCall;
  deleteLink(argument: _tautan_links_v1_DeleteLinkRequest, callback: grpc.requestCallback<_tautan_links_v1_DeleteLinkResponse__Output>): grpc.ClientUnaryCall;
  
  ExportLinks(argument: _tautan_links_v1_ExportLinksRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_tautan_links_v1_ExportLinksChunk__Output>;
  ExportLinks(argument: _tautan_links_v1_ExportLinksRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_tautan_links_v1_ExportLinksChunk__Output>;
  exportLinks(argument: _tautan_links_v1_ExportLinksRequest, metadata: grpc.Metadata, options?: grpc.CallOptions): grpc.ClientReadableStream<_tautan_links_v1_ExportLinksChunk__Output>;
  exportLinks(argument: _tautan_links_v1_ExportLinksRequest, options?: grpc.CallOptions): grpc.ClientReadableStream<_tautan_links_v1_ExportLinksChunk__Output>;
  
  GetLink(argument: _tautan_links_v1_GetLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  GetLink(argument: _tautan_links_v1_GetLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  GetLink(argument: _tautan_links_v1_GetLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  GetLink(argument: _tautan_links_v1_GetLinkRequest, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  getLink(argument: _tautan_links_v1_GetLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  getLink(argument: _tautan_links_v1_GetLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  getLink(argument: _tautan_links_v1_GetLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  getLink(argument: _tautan_links_v1_GetLinkRequest, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  
  ImportLinks(argument: _tautan_links_v1_ImportLinksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ImportLinksResponse__Output>): grpc.ClientUnaryCall;
  ImportLinks(argument: _tautan_links_v1_ImportLinksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ImportLinksResponse__Output>): grpc.ClientUnaryCall;
  ImportLinks(argument: _tautan_links_v1_ImportLinksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ImportLinksResponse__Output>): grpc.ClientUnaryCall;
  ImportLinks(argument: _tautan_links_v1_ImportLinksRequest, callback: grpc.requestCallback<_tautan_links_v1_ImportLinksResponse__Output>): grpc.ClientUnaryCall;
  importLinks(argument: _tautan_links_v1_ImportLinksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ImportLinksResponse__Output>): grpc.ClientUnaryCall;
  importLinks(argument: _tautan_links_v1_ImportLinksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ImportLinksResponse__Output>): grpc.ClientUnaryCall;
  importLinks(argument: _tautan_links_v1_ImportLinksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ImportLinksResponse__Output>): grpc.ClientUnaryCall;
  importLinks(argument: _tautan_links_v1_ImportLinksRequest, callback: grpc.requestCallback<_tautan_links_v1_ImportLinksResponse__Output>): grpc.ClientUnaryCall;
  
  ListLinks(argument: _tautan_links_v1_ListLinksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListLinksResponse__Output>): grpc.ClientUnaryCall;
  ListLinks(argument: _tautan_links_v1_ListLinksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListLinksResponse__Output>): grpc.ClientUnaryCall;
  ListLinks(argument: _tautan_links_v1_ListLinksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListLinksResponse__Output>): grpc.ClientUnaryCall;
  ListLinks(argument: _tautan_links_v1_ListLinksRequest, callback: grpc.requestCallback<_tautan_links_v1_ListLinksResponse__Output>): grpc.ClientUnaryCall;
  listLinks(argument: _tautan_links_v1_ListLinksRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListLinksResponse__Output>): grpc.ClientUnaryCall;
  listLinks(argument: _tautan_links_v1_ListLinksRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListLinksResponse__Output>): grpc.ClientUnaryCall;
  listLinks(argument: _tautan_links_v1_ListLinksRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListLinksResponse__Output>): grpc.ClientUnaryCall;
  listLinks(argument: _tautan_links_v1_ListLinksRequest, callback: grpc.requestCallback<_tautan_links_v1_ListLinksResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateLink(argument: _tautan_links_v1_UpdateLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  UpdateLink(argument: _tautan_links_v1_UpdateLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  UpdateLink(argument: _tautan_links_v1_UpdateLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  UpdateLink(argument: _tautan_links_v1_UpdateLinkRequest, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  updateLink(argument: _tautan_links_v1_UpdateLinkRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  updateLink(argument: _tautan_links_v1_UpdateLinkRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  updateLink(argument: _tautan_links_v1_UpdateLinkRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  updateLink(argument: _tautan_links_v1_UpdateLinkRequest, callback: grpc.requestCallback<_tautan_links_v1_Link__Output>): grpc.ClientUnaryCall;
  
}

export interface LinksHandlers extends grpc.UntypedServiceImplementation {
  BulkLinks: grpc.handleUnaryCall<_tautan_links_v1_BulkLinksRequest__Output, _tautan_links_v1_BulkLinksResponse>;
  
  CreateLink: grpc.handleUnaryCall<_tautan_links_v1_CreateLinkRequest__Output, _tautan_links_v1_Link>;
  
  DeleteLink: grpc.handleUnaryCall<_tautan_links_v1_DeleteLinkRequest__Output, _tautan_links_v1_DeleteLinkResponse>;
  
  ExportLinks: grpc.handleServerStreamingCall<_tautan_links_v1_ExportLinksRequest__Output, _tautan_links_v1_ExportLinksChunk>;
  
  GetLink: grpc.handleUnaryCall<_tautan_links_v1_GetLinkRequest__Output, _tautan_links_v1_Link>;
  
  ImportLinks: grpc.handleUnaryCall<_tautan_links_v1_ImportLinksRequest__Output, _tautan_links_v1_ImportLinksResponse>;
  
  ListLinks: grpc.handleUnaryCall<_tautan_links_v1_ListLinksRequest__Output, _tautan_links_v1_ListLinksResponse>;
  
  UpdateLink: grpc.handleUnaryCall<_tautan_links_v1_UpdateLinkRequest__Output, _tautan_links_v1_Link>;
  
}

export interface LinksDefinition extends grpc.ServiceDefinition {
  BulkLinks: MethodDefinition<_tautan_links_v1_BulkLinksRequest, _tautan_links_v1_BulkLinksResponse, _tautan_links_v1_BulkLinksRequest__Output, _tautan_links_v1_BulkLinksResponse__Output>
  CreateLink: MethodDefinition<_tautan_links_v1_CreateLinkRequest, _tautan_links_v1_Link, _tautan_links_v1_CreateLinkRequest__Output, _tautan_links_v1_Link__Output>
  DeleteLink: MethodDefinition<_tautan_links_v1_DeleteLinkRequest, _tautan_links_v1_DeleteLinkResponse, _tautan_links_v1_DeleteLinkRequest__Output, _tautan_links_v1_DeleteLinkResponse__Output>
  ExportLinks: MethodDefinition<_tautan_links_v1_ExportLinksRequest, _tautan_links_v1_ExportLinksChunk, _tautan_links_v1_ExportLinksRequest__Output, _tautan_links_v1_ExportLinksChunk__Output>
  GetLink: MethodDefinition<_tautan_links_v1_GetLinkRequest, _tautan_links_v1_Link, _tautan_links_v1_GetLinkRequest__Output, _tautan_links_v1_Link__Output>
  ImportLinks: MethodDefinition<_tautan_links_v1_ImportLinksRequest, _tautan_links_v1_ImportLinksResponse, _tautan_links_v1_ImportLinksRequest__Output, _tautan_links_v1_ImportLinksResponse__Output>
  ListLinks: MethodDefinition<_tautan_links_v1_ListLinksRequest, _tautan_links_v1_ListLinksResponse, _tautan_links_v1_ListLinksRequest__Output, _tautan_links_v1_ListLinksResponse__Output>
  UpdateLink: MethodDefinition<_tautan_links_v1_UpdateLinkRequest, _tautan_links_v1_Link, _tautan_links_v1_UpdateLinkRequest__Output, _tautan_links_v1_Link__Output>
}
