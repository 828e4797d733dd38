// Original file: webhooks.proto

import type * as grpc from '@grpc/grpc-js'
import type { MethodDefinition } from '@grpc/proto-loader'
import type { CreateEndpointRequest as _tautan_webhooks_v1_CreateEndpointRequest, CreateEndpointRequest__Output as _tautan_webhooks_v1_CreateEndpointRequest__Output } from '../../../tautan/webhooks/v1/CreateEndpointRequest.js';
import type { DeleteEndpointRequest as _tautan_webhooks_v1_DeleteEndpointRequest, DeleteEndpointRequest__Output as _tautan_webhooks_v1_DeleteEndpointRequest__Output } from '../../../tautan/webhooks/v1/DeleteEndpointRequest.js';
import type { DeleteEndpointResponse as _tautan_webhooks_v1_DeleteEndpointResponse, DeleteEndpointResponse__Output as _tautan_webhooks_v1_DeleteEndpointResponse__Output } from '../../../tautan/webhooks/v1/DeleteEndpointResponse.js';
import type { Delivery as _tautan_webhooks_v1_Delivery, Delivery__Output as _tautan_webhooks_v1_Delivery__Output } from '../../../tautan/webhooks/v1/Delivery.js';
import type { Endpoint as _tautan_webhooks_v1_Endpoint, Endpoint__Output as _tautan_webhooks_v1_Endpoint__Output } from '../../../tautan/webhooks/v1/Endpoint.js';
import type { EndpointWithSecret as _tautan_webhooks_v1_EndpointWithSecret, EndpointWithSecret__Output as _tautan_webhooks_v1_EndpointWithSecret__Output } from '../../../tautan/webhooks/v1/EndpointWithSecret.js';
import type { GetDeliveryRequest as _tautan_webhooks_v1_GetDeliveryRequest, GetDeliveryRequest__Output as _tautan_webhooks_v1_GetDeliveryRequest__Output } from '../../../tautan/webhooks/v1/GetDeliveryRequest.js';
import type { ListDeliveriesRequest as _tautan_webhooks_v1_ListDeliveriesRequest, ListDeliveriesRequest__Output as _tautan_webhooks_v1_ListDeliveriesRequest__Output } from '../../../tautan/webhooks/v1/ListDeliveriesRequest.js';
import type { ListDeliveriesResponse as _tautan_webhooks_v1_ListDeliveriesResponse, ListDeliveriesResponse__Output as _tautan_webhooks_v1_ListDeliveriesResponse__Output } from '../../../tautan/webhooks/v1/ListDeliveriesResponse.js';
import type { ListEndpointsRequest as _tautan_webhooks_v1_ListEndpointsRequest, ListEndpointsRequest__Output as _tautan_webhooks_v1_ListEndpointsRequest__Output } from '../../../tautan/webhooks/v1/ListEndpointsRequest.js';
import type { ListEndpointsResponse as _tautan_webhooks_v1_ListEndpointsResponse, ListEndpointsResponse__Output as _tautan_webhooks_v1_ListEndpointsResponse__Output } from '../../../tautan/webhooks/v1/ListEndpointsResponse.js';
import type { ListEventTypesRequest as _tautan_webhooks_v1_ListEventTypesRequest, ListEventTypesRequest__Output as _tautan_webhooks_v1_ListEventTypesRequest__Output } from '../../../tautan/webhooks/v1/ListEventTypesRequest.js';
import type { ListEventTypesResponse as _tautan_webhooks_v1_ListEventTypesResponse, ListEventTypesResponse__Output as _tautan_webhooks_v1_ListEventTypesResponse__Output } from '../../../tautan/webhooks/v1/ListEventTypesResponse.js';
import type { RetryDeliveryRequest as _tautan_webhooks_v1_RetryDeliveryRequest, RetryDeliveryRequest__Output as _tautan_webhooks_v1_RetryDeliveryRequest__Output } from '../../../tautan/webhooks/v1/RetryDeliveryRequest.js';
import type { RotateSecretRequest as _tautan_webhooks_v1_RotateSecretRequest, RotateSecretRequest__Output as _tautan_webhooks_v1_RotateSecretRequest__Output } from '../../../tautan/webhooks/v1/RotateSecretRequest.js';
import type { TestEndpointRequest as _tautan_webhooks_v1_TestEndpointRequest, TestEndpointRequest__Output as _tautan_webhooks_v1_TestEndpointRequest__Output } from '../../../tautan/webhooks/v1/TestEndpointRequest.js';
import type { UpdateEndpointRequest as _tautan_webhooks_v1_UpdateEndpointRequest, UpdateEndpointRequest__Output as _tautan_webhooks_v1_UpdateEndpointRequest__Output } from '../../../tautan/webhooks/v1/UpdateEndpointRequest.js';

export interface WebhooksClient extends grpc.Client {
  CreateEndpoint(argument: _tautan_webhooks_v1_CreateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  CreateEndpoint(argument: _tautan_webhooks_v1_CreateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  CreateEndpoint(argument: _tautan_webhooks_v1_CreateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  CreateEndpoint(argument: _tautan_webhooks_v1_CreateEndpointRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _tautan_webhooks_v1_CreateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _tautan_webhooks_v1_CreateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _tautan_webhooks_v1_CreateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  createEndpoint(argument: _tautan_webhooks_v1_CreateEndpointRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  
  DeleteEndpoint(argument: _tautan_webhooks_v1_DeleteEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  DeleteEndpoint(argument: _tautan_webhooks_v1_DeleteEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  DeleteEndpoint(argument: _tautan_webhooks_v1_DeleteEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  DeleteEndpoint(argument: _tautan_webhooks_v1_DeleteEndpointRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _tautan_webhooks_v1_DeleteEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _tautan_webhooks_v1_DeleteEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _tautan_webhooks_v1_DeleteEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  deleteEndpoint(argument: _tautan_webhooks_v1_DeleteEndpointRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_DeleteEndpointResponse__Output>): grpc.ClientUnaryCall;
  
  GetDelivery(argument: _tautan_webhooks_v1_GetDeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  GetDelivery(argument: _tautan_webhooks_v1_GetDeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  GetDelivery(argument: _tautan_webhooks_v1_GetDeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  GetDelivery(argument: _tautan_webhooks_v1_GetDeliveryRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _tautan_webhooks_v1_GetDeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _tautan_webhooks_v1_GetDeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _tautan_webhooks_v1_GetDeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  getDelivery(argument: _tautan_webhooks_v1_GetDeliveryRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  
  ListDeliveries(argument: _tautan_webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _tautan_webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _tautan_webhooks_v1_ListDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  ListDeliveries(argument: _tautan_webhooks_v1_ListDeliveriesRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _tautan_webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _tautan_webhooks_v1_ListDeliveriesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _tautan_webhooks_v1_ListDeliveriesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  listDeliveries(argument: _tautan_webhooks_v1_ListDeliveriesRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_ListDeliveriesResponse__Output>): grpc.ClientUnaryCall;
  
  ListEndpoints(argument: _tautan_webhooks_v1_ListEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListEndpoints(argument: _tautan_webhooks_v1_ListEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListEndpoints(argument: _tautan_webhooks_v1_ListEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  ListEndpoints(argument: _tautan_webhooks_v1_ListEndpointsRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _tautan_webhooks_v1_ListEndpointsRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _tautan_webhooks_v1_ListEndpointsRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _tautan_webhooks_v1_ListEndpointsRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  listEndpoints(argument: _tautan_webhooks_v1_ListEndpointsRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEndpointsResponse__Output>): grpc.ClientUnaryCall;
  
  ListEventTypes(argument: _tautan_webhooks_v1_ListEventTypesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEventTypesResponse__Output>): grpc.ClientUnaryCall;
  ListEventTypes(argument: _tautan_webhooks_v1_ListEventTypesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEventTypesResponse__Output>): grpc.ClientUnaryCall;
  ListEventTypes(argument: _tautan_webhooks_v1_ListEventTypesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEventTypesResponse__Output>): grpc.ClientUnaryCall;
  ListEventTypes(argument: _tautan_webhooks_v1_ListEventTypesRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEventTypesResponse__Output>): grpc.ClientUnaryCall;
  listEventTypes(argument: _tautan_webhooks_v1_ListEventTypesRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEventTypesResponse__Output>): grpc.ClientUnaryCall;
  listEventTypes(argument: _tautan_webhooks_v1_ListEventTypesRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEventTypesResponse__Output>): grpc.ClientUnaryCall;
  listEventTypes(argument: _tautan_webhooks_v1_ListEventTypesRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEventTypesResponse__Output>): grpc.ClientUnaryCall;
  listEventTypes(argument: _tautan_webhooks_v1_ListEventTypesRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_ListEventTypesResponse__Output>): grpc.ClientUnaryCall;
  
  RetryDelivery(argument: _tautan_webhooks_v1_RetryDeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  RetryDelivery(argument: _tautan_webhooks_v1_RetryDeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  RetryDelivery(argument: _tautan_webhooks_v1_RetryDeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  RetryDelivery(argument: _tautan_webhooks_v1_RetryDeliveryRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  retryDelivery(argument: _tautan_webhooks_v1_RetryDeliveryRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  retryDelivery(argument: _tautan_webhooks_v1_RetryDeliveryRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  retryDelivery(argument: _tautan_webhooks_v1_RetryDeliveryRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  retryDelivery(argument: _tautan_webhooks_v1_RetryDeliveryRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  
  RotateSecret(argument: _tautan_webhooks_v1_RotateSecretRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _tautan_webhooks_v1_RotateSecretRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _tautan_webhooks_v1_RotateSecretRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  RotateSecret(argument: _tautan_webhooks_v1_RotateSecretRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _tautan_webhooks_v1_RotateSecretRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _tautan_webhooks_v1_RotateSecretRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _tautan_webhooks_v1_RotateSecretRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  rotateSecret(argument: _tautan_webhooks_v1_RotateSecretRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_EndpointWithSecret__Output>): grpc.ClientUnaryCall;
  
  TestEndpoint(argument: _tautan_webhooks_v1_TestEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  TestEndpoint(argument: _tautan_webhooks_v1_TestEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  TestEndpoint(argument: _tautan_webhooks_v1_TestEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  TestEndpoint(argument: _tautan_webhooks_v1_TestEndpointRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  testEndpoint(argument: _tautan_webhooks_v1_TestEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  testEndpoint(argument: _tautan_webhooks_v1_TestEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  testEndpoint(argument: _tautan_webhooks_v1_TestEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  testEndpoint(argument: _tautan_webhooks_v1_TestEndpointRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_Delivery__Output>): grpc.ClientUnaryCall;
  
  UpdateEndpoint(argument: _tautan_webhooks_v1_UpdateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  UpdateEndpoint(argument: _tautan_webhooks_v1_UpdateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  UpdateEndpoint(argument: _tautan_webhooks_v1_UpdateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  UpdateEndpoint(argument: _tautan_webhooks_v1_UpdateEndpointRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _tautan_webhooks_v1_UpdateEndpointRequest, metadata: grpc.Metadata, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _tautan_webhooks_v1_UpdateEndpointRequest, metadata: grpc.Metadata, callback: grpc.requestCallback<_tautan_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _tautan_webhooks_v1_UpdateEndpointRequest, options: grpc.CallOptions, callback: grpc.requestCallback<_tautan_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  updateEndpoint(argument: _tautan_webhooks_v1_UpdateEndpointRequest, callback: grpc.requestCallback<_tautan_webhooks_v1_Endpoint__Output>): grpc.ClientUnaryCall;
  
}

export interface WebhooksHandlers extends grpc.UntypedServiceImplementation {
  CreateEndpoint: grpc.handleUnaryCall<_tautan_webhooks_v1_CreateEndpointRequest__Output, _tautan_webhooks_v1_EndpointWithSecret>;
  
  DeleteEndpoint: grpc.handleUnaryCall<_tautan_webhooks_v1_DeleteEndpointRequest__Output, _tautan_webhooks_v1_DeleteEndpointResponse>;
  
  GetDelivery: grpc.handleUnaryCall<_tautan_webhooks_v1_GetDeliveryRequest__Output, _tautan_webhooks_v1_Delivery>;
  
  ListDeliveries: grpc.handleUnaryCall<_tautan_webhooks_v1_ListDeliveriesRequest__Output, _tautan_webhooks_v1_ListDeliveriesResponse>;
  
  ListEndpoints: grpc.handleUnaryCall<_tautan_webhooks_v1_ListEndpointsRequest__Output, _tautan_webhooks_v1_ListEndpointsResponse>;
  
  ListEventTypes: grpc.handleUnaryCall<_tautan_webhooks_v1_ListEventTypesRequest__Output, _tautan_webhooks_v1_ListEventTypesResponse>;
  
  RetryDelivery: grpc.handleUnaryCall<_tautan_webhooks_v1_RetryDeliveryRequest__Output, _tautan_webhooks_v1_Delivery>;
  
  RotateSecret: grpc.handleUnaryCall<_tautan_webhooks_v1_RotateSecretRequest__Output, _tautan_webhooks_v1_EndpointWithSecret>;
  
  TestEndpoint: grpc.handleUnaryCall<_tautan_webhooks_v1_TestEndpointRequest__Output, _tautan_webhooks_v1_Delivery>;
  
  UpdateEndpoint: grpc.handleUnaryCall<_tautan_webhooks_v1_UpdateEndpointRequest__Output, _tautan_webhooks_v1_Endpoint>;
  
}

export interface WebhooksDefinition extends grpc.ServiceDefinition {
  CreateEndpoint: MethodDefinition<_tautan_webhooks_v1_CreateEndpointRequest, _tautan_webhooks_v1_EndpointWithSecret, _tautan_webhooks_v1_CreateEndpointRequest__Output, _tautan_webhooks_v1_EndpointWithSecret__Output>
  DeleteEndpoint: MethodDefinition<_tautan_webhooks_v1_DeleteEndpointRequest, _tautan_webhooks_v1_DeleteEndpointResponse, _tautan_webhooks_v1_DeleteEndpointRequest__Output, _tautan_webhooks_v1_DeleteEndpointResponse__Output>
  GetDelivery: MethodDefinition<_tautan_webhooks_v1_GetDeliveryRequest, _tautan_webhooks_v1_Delivery, _tautan_webhooks_v1_GetDeliveryRequest__Output, _tautan_webhooks_v1_Delivery__Output>
  ListDeliveries: MethodDefinition<_tautan_webhooks_v1_ListDeliveriesRequest, _tautan_webhooks_v1_ListDeliveriesResponse, _tautan_webhooks_v1_ListDeliveriesRequest__Output, _tautan_webhooks_v1_ListDeliveriesResponse__Output>
  ListEndpoints: MethodDefinition<_tautan_webhooks_v1_ListEndpointsRequest, _tautan_webhooks_v1_ListEndpointsResponse, _tautan_webhooks_v1_ListEndpointsRequest__Output, _tautan_webhooks_v1_ListEndpointsResponse__Output>
  ListEventTypes: MethodDefinition<_tautan_webhooks_v1_ListEventTypesRequest, _tautan_webhooks_v1_ListEventTypesResponse, _tautan_webhooks_v1_ListEventTypesRequest__Output, _tautan_webhooks_v1_ListEventTypesResponse__Output>
  RetryDelivery: MethodDefinition<_tautan_webhooks_v1_RetryDeliveryRequest, _tautan_webhooks_v1_Delivery, _tautan_webhooks_v1_RetryDeliveryRequest__Output, _tautan_webhooks_v1_Delivery__Output>
  RotateSecret: MethodDefinition<_tautan_webhooks_v1_RotateSecretRequest, _tautan_webhooks_v1_EndpointWithSecret, _tautan_webhooks_v1_RotateSecretRequest__Output, _tautan_webhooks_v1_EndpointWithSecret__Output>
  TestEndpoint: MethodDefinition<_tautan_webhooks_v1_TestEndpointRequest, _tautan_webhooks_v1_Delivery, _tautan_webhooks_v1_TestEndpointRequest__Output, _tautan_webhooks_v1_Delivery__Output>
  UpdateEndpoint: MethodDefinition<_tautan_webhooks_v1_UpdateEndpointRequest, _tautan_webhooks_v1_Endpoint, _tautan_webhooks_v1_UpdateEndpointRequest__Output, _tautan_webhooks_v1_Endpoint__Output>
}
