// Original file: domains.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { AddDomainRequest as _tautan_links_v1_AddDomainRequest, AddDomainRequest__Output as _tautan_links_v1_AddDomainRequest__Output } from '../../../tautan/links/v1/AddDomainRequest.js';
import type { DeleteDomainRequest as _tautan_links_v1_DeleteDomainRequest, DeleteDomainRequest__Output as _tautan_links_v1_DeleteDomainRequest__Output } from '../../../tautan/links/v1/DeleteDomainRequest.js';
import type { DeleteDomainResponse as _tautan_links_v1_DeleteDomainResponse, DeleteDomainResponse__Output as _tautan_links_v1_DeleteDomainResponse__Output } from '../../../tautan/links/v1/DeleteDomainResponse.js';
import type { Domain as _tautan_links_v1_Domain, Domain__Output as _tautan_links_v1_Domain__Output } from '../../../tautan/links/v1/Domain.js';
import type { GetDomainRequest as _tautan_links_v1_GetDomainRequest, GetDomainRequest__Output as _tautan_links_v1_GetDomainRequest__Output } from '../../../tautan/links/v1/GetDomainRequest.js';
import type { ListDomainsRequest as _tautan_links_v1_ListDomainsRequest, ListDomainsRequest__Output as _tautan_links_v1_ListDomainsRequest__Output } from '../../../tautan/links/v1/ListDomainsRequest.js';
import type { ListDomainsResponse as _tautan_links_v1_ListDomainsResponse, ListDomainsResponse__Output as _tautan_links_v1_ListDomainsResponse__Output } from '../../../tautan/links/v1/ListDomainsResponse.js';
import type { UpdateDomainRequest as _tautan_links_v1_UpdateDomainRequest, UpdateDomainRequest__Output as _tautan_links_v1_UpdateDomainRequest__Output } from '../../../tautan/links/v1/UpdateDomainRequest.js';
import type { VerifyDomainRequest as _tautan_links_v1_VerifyDomainRequest, VerifyDomainRequest__Output as _tautan_links_v1_VerifyDomainRequest__Output } from '../../../tautan/links/v1/VerifyDomainRequest.js';

export interface DomainsClient extends grpc.Client {
  AddDomain(argument: _tautan_links_v1_AddDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  AddDomain(argument: _tautan_links_v1_AddDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  AddDomain(argument: _tautan_links_v1_AddDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  AddDomain(argument: _tautan_links_v1_AddDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  addDomain(argument: _tautan_links_v1_AddDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  addDomain(argument: _tautan_links_v1_AddDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  addDomain(argument: _tautan_links_v1_AddDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  addDomain(argument: _tautan_links_v1_AddDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  
  DeleteDomain(argument: _tautan_links_v1_DeleteDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteDomainResponse__Output>): grpc.ClientUnaryCall;
  DeleteDomain(argument: _tautan_links_v1_DeleteDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_DeleteDomainResponse__Output>): grpc.ClientUnaryCall;
  DeleteDomain(argument: _tautan_links_v1_DeleteDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteDomainResponse__Output>): grpc.ClientUnaryCall;
  DeleteDomain(argument: _tautan_links_v1_DeleteDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_DeleteDomainResponse__Output>): grpc.ClientUnaryCall;
  deleteDomain(argument: _tautan_links_v1_DeleteDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteDomainResponse__Output>): grpc.ClientUnaryCall;
  deleteDomain(argument: _tautan_links_v1_DeleteDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_DeleteDomainResponse__Output>): grpc.ClientUnaryCall;
  deleteDomain(argument: _tautan_links_v1_DeleteDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_DeleteDomainResponse__Output>): grpc.ClientUnaryCall;
  deleteDomain(argument: _tautan_links_v1_DeleteDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_DeleteDomainResponse__Output>): grpc.ClientUnaryCall;
  
  GetDomain(argument: _tautan_links_v1_GetDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  GetDomain(argument: _tautan_links_v1_GetDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  GetDomain(argument: _tautan_links_v1_GetDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  GetDomain(argument: _tautan_links_v1_GetDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  getDomain(argument: _tautan_links_v1_GetDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  getDomain(argument: _tautan_links_v1_GetDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  getDomain(argument: _tautan_links_v1_GetDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  getDomain(argument: _tautan_links_v1_GetDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  
  ListDomains(argument: _tautan_links_v1_ListDomainsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListDomainsResponse__Output>): grpc.ClientUnaryCall;
  ListDomains(argument: _tautan_links_v1_ListDomainsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListDomainsResponse__Output>): grpc.ClientUnaryCall;
  ListDomains(argument: _tautan_links_v1_ListDomainsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListDomainsResponse__Output>): grpc.ClientUnaryCall;
  ListDomains(argument: _tautan_links_v1_ListDomainsRequest, callback: grpc.requestCallback<_tautan_links_v1_ListDomainsResponse__Output>): grpc.ClientUnaryCall;
  listDomains(argument: _tautan_links_v1_ListDomainsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListDomainsResponse__Output>): grpc.ClientUnaryCall;
  listDomains(argument: _tautan_links_v1_ListDomainsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_ListDomainsResponse__Output>): grpc.ClientUnaryCall;
  listDomains(argument: _tautan_links_v1_ListDomainsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_ListDomainsResponse__Output>): grpc.ClientUnaryCall;
  listDomains(argument: _tautan_links_v1_ListDomainsRequest, callback: grpc.requestCallback<_tautan_links_v1_ListDomainsResponse__Output>): grpc.ClientUnaryCall;
  
  UpdateDomain(argument: _tautan_links_v1_UpdateDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  UpdateDomain(argument: _tautan_links_v1_UpdateDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  UpdateDomain(argument: _tautan_links_v1_UpdateDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  UpdateDomain(argument: _tautan_links_v1_UpdateDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  updateDomain(argument: _tautan_links_v1_UpdateDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  updateDomain(argument: _tautan_links_v1_UpdateDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  updateDomain(argument: _tautan_links_v1_UpdateDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  updateDomain(argument: _tautan_links_v1_UpdateDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  
  VerifyDomain(argument: _tautan_links_v1_VerifyDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  VerifyDomain(argument: _tautan_links_v1_VerifyDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  VerifyDomain(argument: _tautan_links_v1_VerifyDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  VerifyDomain(argument: _tautan_links_v1_VerifyDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  verifyDomain(argument: _tautan_links_v1_VerifyDomainRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  verifyDomain(argument: _tautan_links_v1_VerifyDomainRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  verifyDomain(argument: _tautan_links_v1_VerifyDomainRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  verifyDomain(argument: _tautan_links_v1_VerifyDomainRequest, callback: grpc.requestCallback<_tautan_links_v1_Domain__Output>): grpc.ClientUnaryCall;
  
}

export interface DomainsHandlers extends grpc.UntypedServiceImplementation {
  AddDomain: grpc.handleUnaryCall<_tautan_links_v1_AddDomainRequest__Output, _tautan_links_v1_Domain>;
  
  DeleteDomain: grpc.handleUnaryCall<_tautan_links_v1_DeleteDomainRequest__Output, _tautan_links_v1_DeleteDomainResponse>;
  
  GetDomain: grpc.handleUnaryCall<_tautan_links_v1_GetDomainRequest__Output, _tautan_links_v1_Domain>;
  
  ListDomains: grpc.handleUnaryCall<_tautan_links_v1_ListDomainsRequest__Output, _tautan_links_v1_ListDomainsResponse>;
  
  UpdateDomain: grpc.handleUnaryCall<_tautan_links_v1_UpdateDomainRequest__Output, _tautan_links_v1_Domain>;
  
  VerifyDomain: grpc.handleUnaryCall<_tautan_links_v1_VerifyDomainRequest__Output, _tautan_links_v1_Domain>;
  
}

export interface DomainsDefinition extends grpc.ServiceDefinition {
  AddDomain: MethodDefinition<_tautan_links_v1_AddDomainRequest, _tautan_links_v1_Domain, _tautan_links_v1_AddDomainRequest__Output, _tautan_links_v1_Domain__Output>
  DeleteDomain: MethodDefinition<_tautan_links_v1_DeleteDomainRequest, _tautan_links_v1_DeleteDomainResponse, _tautan_links_v1_DeleteDomainRequest__Output, _tautan_links_v1_DeleteDomainResponse__Output>
  GetDomain: MethodDefinition<_tautan_links_v1_GetDomainRequest, _tautan_links_v1_Domain, _tautan_links_v1_GetDomainRequest__Output, _tautan_links_v1_Domain__Output>
  ListDomains: MethodDefinition<_tautan_links_v1_ListDomainsRequest, _tautan_links_v1_ListDomainsResponse, _tautan_links_v1_ListDomainsRequest__Output, _tautan_links_v1_ListDomainsResponse__Output>
  UpdateDomain: MethodDefinition<_tautan_links_v1_UpdateDomainRequest, _tautan_links_v1_Domain, _tautan_links_v1_UpdateDomainRequest__Output, _tautan_links_v1_Domain__Output>
  VerifyDomain: MethodDefinition<_tautan_links_v1_VerifyDomainRequest, _tautan_links_v1_Domain, _tautan_links_v1_VerifyDomainRequest__Output, _tautan_links_v1_Domain__Output>
}
