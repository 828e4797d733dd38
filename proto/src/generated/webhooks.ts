import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { Attempt as _tautan_webhooks_v1_Attempt, Attempt__Output as _tautan_webhooks_v1_Attempt__Output } from './tautan/webhooks/v1/Attempt.js';
import type { CreateEndpointRequest as _tautan_webhooks_v1_CreateEndpointRequest, CreateEndpointRequest__Output as _tautan_webhooks_v1_CreateEndpointRequest__Output } from './tautan/webhooks/v1/CreateEndpointRequest.js';
import type { DeleteEndpointRequest as _tautan_webhooks_v1_DeleteEndpointRequest, DeleteEndpointRequest__Output as _tautan_webhooks_v1_DeleteEndpointRequest__Output } from './tautan/webhooks/v1/DeleteEndpointRequest.js';
import type { DeleteEndpointResponse as _tautan_webhooks_v1_DeleteEndpointResponse, DeleteEndpointResponse__Output as _tautan_webhooks_v1_DeleteEndpointResponse__Output } from './tautan/webhooks/v1/DeleteEndpointResponse.js';
import type { Delivery as _tautan_webhooks_v1_Delivery, Delivery__Output as _tautan_webhooks_v1_Delivery__Output } from './tautan/webhooks/v1/Delivery.js';
import type { Endpoint as _tautan_webhooks_v1_Endpoint, Endpoint__Output as _tautan_webhooks_v1_Endpoint__Output } from './tautan/webhooks/v1/Endpoint.js';
import type { EndpointWithSecret as _tautan_webhooks_v1_EndpointWithSecret, EndpointWithSecret__Output as _tautan_webhooks_v1_EndpointWithSecret__Output } from './tautan/webhooks/v1/EndpointWithSecret.js';
import type { EventList as _tautan_webhooks_v1_EventList, EventList__Output as _tautan_webhooks_v1_EventList__Output } from './tautan/webhooks/v1/EventList.js';
import type { EventType as _tautan_webhooks_v1_EventType, EventType__Output as _tautan_webhooks_v1_EventType__Output } from './tautan/webhooks/v1/EventType.js';
import type { GetDeliveryRequest as _tautan_webhooks_v1_GetDeliveryRequest, GetDeliveryRequest__Output as _tautan_webhooks_v1_GetDeliveryRequest__Output } from './tautan/webhooks/v1/GetDeliveryRequest.js';
import type { ListDeliveriesRequest as _tautan_webhooks_v1_ListDeliveriesRequest, ListDeliveriesRequest__Output as _tautan_webhooks_v1_ListDeliveriesRequest__Output } from './tautan/webhooks/v1/ListDeliveriesRequest.js';
import type { ListDeliveriesResponse as _tautan_webhooks_v1_ListDeliveriesResponse, ListDeliveriesResponse__Output as _tautan_webhooks_v1_ListDeliveriesResponse__Output } from './tautan/webhooks/v1/ListDeliveriesResponse.js';
import type { ListEndpointsRequest as _tautan_webhooks_v1_ListEndpointsRequest, ListEndpointsRequest__Output as _tautan_webhooks_v1_ListEndpointsRequest__Output } from './tautan/webhooks/v1/ListEndpointsRequest.js';
import type { ListEndpointsResponse as _tautan_webhooks_v1_ListEndpointsResponse, ListEndpointsResponse__Output as _tautan_webhooks_v1_ListEndpointsResponse__Output } from './tautan/webhooks/v1/ListEndpointsResponse.js';
import type { ListEventTypesRequest as _tautan_webhooks_v1_ListEventTypesRequest, ListEventTypesRequest__Output as _tautan_webhooks_v1_ListEventTypesRequest__Output } from './tautan/webhooks/v1/ListEventTypesRequest.js';
import type { ListEventTypesResponse as _tautan_webhooks_v1_ListEventTypesResponse, ListEventTypesResponse__Output as _tautan_webhooks_v1_ListEventTypesResponse__Output } from './tautan/webhooks/v1/ListEventTypesResponse.js';
import type { RetryDeliveryRequest as _tautan_webhooks_v1_RetryDeliveryRequest, RetryDeliveryRequest__Output as _tautan_webhooks_v1_RetryDeliveryRequest__Output } from './tautan/webhooks/v1/RetryDeliveryRequest.js';
import type { RotateSecretRequest as _tautan_webhooks_v1_RotateSecretRequest, RotateSecretRequest__Output as _tautan_webhooks_v1_RotateSecretRequest__Output } from './tautan/webhooks/v1/RotateSecretRequest.js';
import type { TestEndpointRequest as _tautan_webhooks_v1_TestEndpointRequest, TestEndpointRequest__Output as _tautan_webhooks_v1_TestEndpointRequest__Output } from './tautan/webhooks/v1/TestEndpointRequest.js';
import type { UpdateEndpointRequest as _tautan_webhooks_v1_UpdateEndpointRequest, UpdateEndpointRequest__Output as _tautan_webhooks_v1_UpdateEndpointRequest__Output } from './tautan/webhooks/v1/UpdateEndpointRequest.js';
import type { WebhooksClient as _tautan_webhooks_v1_WebhooksClient, WebhooksDefinition as _tautan_webhooks_v1_WebhooksDefinition } from './tautan/webhooks/v1/Webhooks.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    webhooks: {
      v1: {
        Attempt: MessageTypeDefinition<_tautan_webhooks_v1_Attempt, _tautan_webhooks_v1_Attempt__Output>
        CreateEndpointRequest: MessageTypeDefinition<_tautan_webhooks_v1_CreateEndpointRequest, _tautan_webhooks_v1_CreateEndpointRequest__Output>
        DeleteEndpointRequest: MessageTypeDefinition<_tautan_webhooks_v1_DeleteEndpointRequest, _tautan_webhooks_v1_DeleteEndpointRequest__Output>
        DeleteEndpointResponse: MessageTypeDefinition<_tautan_webhooks_v1_DeleteEndpointResponse, _tautan_webhooks_v1_DeleteEndpointResponse__Output>
        Delivery: MessageTypeDefinition<_tautan_webhooks_v1_Delivery, _tautan_webhooks_v1_Delivery__Output>
        Endpoint: MessageTypeDefinition<_tautan_webhooks_v1_Endpoint, _tautan_webhooks_v1_Endpoint__Output>
        EndpointWithSecret: MessageTypeDefinition<_tautan_webhooks_v1_EndpointWithSecret, _tautan_webhooks_v1_EndpointWithSecret__Output>
        EventList: MessageTypeDefinition<_tautan_webhooks_v1_EventList, _tautan_webhooks_v1_EventList__Output>
        EventType: MessageTypeDefinition<_tautan_webhooks_v1_EventType, _tautan_webhooks_v1_EventType__Output>
        GetDeliveryRequest: MessageTypeDefinition<_tautan_webhooks_v1_GetDeliveryRequest, _tautan_webhooks_v1_GetDeliveryRequest__Output>
        ListDeliveriesRequest: MessageTypeDefinition<_tautan_webhooks_v1_ListDeliveriesRequest, _tautan_webhooks_v1_ListDeliveriesRequest__Output>
        ListDeliveriesResponse: MessageTypeDefinition<_tautan_webhooks_v1_ListDeliveriesResponse, _tautan_webhooks_v1_ListDeliveriesResponse__Output>
        ListEndpointsRequest: MessageTypeDefinition<_tautan_webhooks_v1_ListEndpointsRequest, _tautan_webhooks_v1_ListEndpointsRequest__Output>
        ListEndpointsResponse: MessageTypeDefinition<_tautan_webhooks_v1_ListEndpointsResponse, _tautan_webhooks_v1_ListEndpointsResponse__Output>
        ListEventTypesRequest: MessageTypeDefinition<_tautan_webhooks_v1_ListEventTypesRequest, _tautan_webhooks_v1_ListEventTypesRequest__Output>
        ListEventTypesResponse: MessageTypeDefinition<_tautan_webhooks_v1_ListEventTypesResponse, _tautan_webhooks_v1_ListEventTypesResponse__Output>
        RetryDeliveryRequest: MessageTypeDefinition<_tautan_webhooks_v1_RetryDeliveryRequest, _tautan_webhooks_v1_RetryDeliveryRequest__Output>
        RotateSecretRequest: MessageTypeDefinition<_tautan_webhooks_v1_RotateSecretRequest, _tautan_webhooks_v1_RotateSecretRequest__Output>
        TestEndpointRequest: MessageTypeDefinition<_tautan_webhooks_v1_TestEndpointRequest, _tautan_webhooks_v1_TestEndpointRequest__Output>
        UpdateEndpointRequest: MessageTypeDefinition<_tautan_webhooks_v1_UpdateEndpointRequest, _tautan_webhooks_v1_UpdateEndpointRequest__Output>
        Webhooks: SubtypeConstructor<typeof grpc.Client, _tautan_webhooks_v1_WebhooksClient> & { service: _tautan_webhooks_v1_WebhooksDefinition }
      }
    }
  }
}

