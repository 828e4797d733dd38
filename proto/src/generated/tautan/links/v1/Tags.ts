// Original file: links.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateTagRequest as _tautan_links_v1_CreateTagRequest, CreateTagRequest__Output as _tautan_links_v1_CreateTagRequest__Output } from '../../../tautan/links/v1/CreateTagRequest.js';
import type { DeleteTagRequest as _tautan_links_v1_DeleteTagRequest, DeleteTagRequest__Output as _tautan_links_v1_DeleteTagRequest__Output } from '../../../tautan/links/v1/DeleteTagRequest.js';
import type { DeleteTagResponse as _tautan_links_v1_DeleteTagResponse, DeleteTagResponse__Output as _tautan_links_v1_DeleteTagResponse__Output } from '../../../tautan/links/v1/DeleteTagResponse.js';
import type { ListTagsRequest as _tautan_links_v1_ListTagsRequest, ListTagsRequest__Output as _tautan_links_v1_ListTagsRequest__Output } from '../../../tautan/links/v1/ListTagsRequest.js';
import type { ListTagsResponse as _tautan_links_v1_ListTagsResponse, ListTagsResponse__Output as _tautan_links_v1_ListTagsResponse__Output } from '../../../tautan/links/v1/ListTagsResponse.js';
import type { RenameTagRequest as _tautan_links_v1_RenameTagRequest, RenameTagRequest__Output as _tautan_links_v1_RenameTagRequest__Output } from '../../../tautan/links/v1/RenameTagRequest.js';
import type { Tag as _tautan_links_v1_Tag, Tag__Output as _tautan_links_v1_Tag__Output } from '../../../tautan/links/v1/Tag.js';

export interface TagsClient extends grpc.Client {
  CreateTag(argument: _tautan_links_v1_CreateTagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  CreateTag(argument: _tautan_links_v1_CreateTagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  CreateTag(argument: _tautan_links_v1_CreateTagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  CreateTag(argument: _tautan_links_v1_CreateTagRequest, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  createTag(argument: _tautan_links_v1_CreateTagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  createTag(argument: _tautan_links_v1_CreateTagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  createTag(argument: _tautan_links_v1_CreateTagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  createTag(argument: _tautan_links_v1_CreateTagRequest, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  
  DeleteTag(argument: _tautan_links_v1_DeleteTagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteTagResponse__Output>): grpc.ClientUnaryCall;
  DeleteTag(argument: _tautan_links_v1_DeleteTagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_DeleteTagResponse__Output>): grpc.ClientUnaryCall;
  DeleteTag(argument: _tautan_links_v1_DeleteTagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteTagResponse__Output>): grpc.ClientUnaryCall;
  DeleteTag(argument: _tautan_links_v1_DeleteTagRequest, callback: grpc.requestCallback<_tautan_links_v1_DeleteTagResponse__Output>): grpc.ClientUnaryCall;
  deleteTag(argument: _tautan_links_v1_DeleteTagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteTagResponse__Output>): grpc.ClientUnaryCall;
  deleteTag(argument: _tautan_links_v1_DeleteTagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_DeleteTagResponse__Output>): grpc.ClientUnaryCall;
  deleteTag(argument: _tautan_links_v1_DeleteTagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteTagResponse__Output>): grpc.ClientUnaryCall;
  deleteTag(argument: _tautan_links_v1_DeleteTagRequest, callback: grpc.requestCallback<_tautan_links_v1_DeleteTagResponse__Output>): grpc.ClientUnaryCall;
  
  ListTags(argument: _tautan_links_v1_ListTagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListTagsResponse__Output>): grpc.ClientUnaryCall;
  ListTags(argument: _tautan_links_v1_ListTagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListTagsResponse__Output>): grpc.ClientUnaryCall;
  ListTags(argument: _tautan_links_v1_ListTagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListTagsResponse__Output>): grpc.ClientUnaryCall;
  ListTags(argument: _tautan_links_v1_ListTagsRequest, callback: grpc.requestCallback<_tautan_links_v1_ListTagsResponse__Output>): grpc.ClientUnaryCall;
  listTags(argument: _tautan_links_v1_ListTagsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListTagsResponse__Output>): grpc.ClientUnaryCall;
  listTags(argument: _tautan_links_v1_ListTagsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListTagsResponse__Output>): grpc.ClientUnaryCall;
  listTags(argument: _tautan_links_v1_ListTagsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListTagsResponse__Output>): grpc.ClientUnaryCall;
  listTags(argument: _tautan_links_v1_ListTagsRequest, callback: grpc.requestCallback<_tautan_links_v1_ListTagsResponse__Output>): grpc.ClientUnaryCall;
  
  RenameTag(argument: _tautan_links_v1_RenameTagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  RenameTag(argument: _tautan_links_v1_RenameTagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  RenameTag(argument: _tautan_links_v1_RenameTagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  RenameTag(argument: _tautan_links_v1_RenameTagRequest, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  renameTag(argument: _tautan_links_v1_RenameTagRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  renameTag(argument: _tautan_links_v1_RenameTagRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  renameTag(argument: _tautan_links_v1_RenameTagRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  renameTag(argument: _tautan_links_v1_RenameTagRequest, callback: grpc.requestCallback<_tautan_links_v1_Tag__Output>): grpc.ClientUnaryCall;
  
}

export interface TagsHandlers extends grpc.UntypedServiceImplementation {
  CreateTag: grpc.handleUnaryCall<_tautan_links_v1_CreateTagRequest__Output, _tautan_links_v1_Tag>;
  
  DeleteTag: grpc.handleUnaryCall<_tautan_links_v1_DeleteTagRequest__Output, _tautan_links_v1_DeleteTagResponse>;
  
  ListTags: grpc.handleUnaryCall<_tautan_links_v1_ListTagsRequest__Output, _tautan_links_v1_ListTagsResponse>;
  
  RenameTag: grpc.handleUnaryCall<_tautan_links_v1_RenameTagRequest__Output, _tautan_links_v1_Tag>;
  
}

export interface TagsDefinition extends grpc.ServiceDefinition {
  CreateTag: MethodDefinition<_tautan_links_v1_CreateTagRequest, _tautan_links_v1_Tag, _tautan_links_v1_CreateTagRequest__Output, _tautan_links_v1_Tag__Output>
  DeleteTag: MethodDefinition<_tautan_links_v1_DeleteTagRequest, _tautan_links_v1_DeleteTagResponse, _tautan_links_v1_DeleteTagRequest__Output, _tautan_links_v1_DeleteTagResponse__Output>
  ListTags: MethodDefinition<_tautan_links_v1_ListTagsRequest, _tautan_links_v1_ListTagsResponse, _tautan_links_v1_ListTagsRequest__Output, _tautan_links_v1_ListTagsResponse__Output>
  RenameTag: MethodDefinition<_tautan_links_v1_RenameTagRequest, _tautan_links_v1_Tag, _tautan_links_v1_RenameTagRequest__Output, _tautan_links_v1_Tag__Output>
}
