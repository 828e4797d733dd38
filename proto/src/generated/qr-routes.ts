import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { EndedQrRoute as _tautan_links_v1_EndedQrRoute, EndedQrRoute__Output as _tautan_links_v1_EndedQrRoute__Output } from './tautan/links/v1/EndedQrRoute.js';
import type { FindTagsRequest as _tautan_links_v1_FindTagsRequest, FindTagsRequest__Output as _tautan_links_v1_FindTagsRequest__Output } from './tautan/links/v1/FindTagsRequest.js';
import type { FindTagsResponse as _tautan_links_v1_FindTagsResponse, FindTagsResponse__Output as _tautan_links_v1_FindTagsResponse__Output } from './tautan/links/v1/FindTagsResponse.js';
import type { FollowedLink as _tautan_links_v1_FollowedLink, FollowedLink__Output as _tautan_links_v1_FollowedLink__Output } from './tautan/links/v1/FollowedLink.js';
import type { FoundTag as _tautan_links_v1_FoundTag, FoundTag__Output as _tautan_links_v1_FoundTag__Output } from './tautan/links/v1/FoundTag.js';
import type { ListEndedQrRoutesRequest as _tautan_links_v1_ListEndedQrRoutesRequest, ListEndedQrRoutesRequest__Output as _tautan_links_v1_ListEndedQrRoutesRequest__Output } from './tautan/links/v1/ListEndedQrRoutesRequest.js';
import type { ListEndedQrRoutesResponse as _tautan_links_v1_ListEndedQrRoutesResponse, ListEndedQrRoutesResponse__Output as _tautan_links_v1_ListEndedQrRoutesResponse__Output } from './tautan/links/v1/ListEndedQrRoutesResponse.js';
import type { ListQrRoutesRequest as _tautan_links_v1_ListQrRoutesRequest, ListQrRoutesRequest__Output as _tautan_links_v1_ListQrRoutesRequest__Output } from './tautan/links/v1/ListQrRoutesRequest.js';
import type { ListQrRoutesResponse as _tautan_links_v1_ListQrRoutesResponse, ListQrRoutesResponse__Output as _tautan_links_v1_ListQrRoutesResponse__Output } from './tautan/links/v1/ListQrRoutesResponse.js';
import type { PutQrRouteRequest as _tautan_links_v1_PutQrRouteRequest, PutQrRouteRequest__Output as _tautan_links_v1_PutQrRouteRequest__Output } from './tautan/links/v1/PutQrRouteRequest.js';
import type { QrRoute as _tautan_links_v1_QrRoute, QrRoute__Output as _tautan_links_v1_QrRoute__Output } from './tautan/links/v1/QrRoute.js';
import type { QrRoutesClient as _tautan_links_v1_QrRoutesClient, QrRoutesDefinition as _tautan_links_v1_QrRoutesDefinition } from './tautan/links/v1/QrRoutes.js';
import type { QrTag as _tautan_links_v1_QrTag, QrTag__Output as _tautan_links_v1_QrTag__Output } from './tautan/links/v1/QrTag.js';
import type { QrTagNames as _tautan_links_v1_QrTagNames, QrTagNames__Output as _tautan_links_v1_QrTagNames__Output } from './tautan/links/v1/QrTagNames.js';
import type { RemoveQrRouteRequest as _tautan_links_v1_RemoveQrRouteRequest, RemoveQrRouteRequest__Output as _tautan_links_v1_RemoveQrRouteRequest__Output } from './tautan/links/v1/RemoveQrRouteRequest.js';
import type { RemoveQrRouteResponse as _tautan_links_v1_RemoveQrRouteResponse, RemoveQrRouteResponse__Output as _tautan_links_v1_RemoveQrRouteResponse__Output } from './tautan/links/v1/RemoveQrRouteResponse.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    links: {
      v1: {
        EndedQrRoute: MessageTypeDefinition<_tautan_links_v1_EndedQrRoute, _tautan_links_v1_EndedQrRoute__Output>
        FindTagsRequest: MessageTypeDefinition<_tautan_links_v1_FindTagsRequest, _tautan_links_v1_FindTagsRequest__Output>
        FindTagsResponse: MessageTypeDefinition<_tautan_links_v1_FindTagsResponse, _tautan_links_v1_FindTagsResponse__Output>
        FollowedLink: MessageTypeDefinition<_tautan_links_v1_FollowedLink, _tautan_links_v1_FollowedLink__Output>
        FoundTag: MessageTypeDefinition<_tautan_links_v1_FoundTag, _tautan_links_v1_FoundTag__Output>
        ListEndedQrRoutesRequest: MessageTypeDefinition<_tautan_links_v1_ListEndedQrRoutesRequest, _tautan_links_v1_ListEndedQrRoutesRequest__Output>
        ListEndedQrRoutesResponse: MessageTypeDefinition<_tautan_links_v1_ListEndedQrRoutesResponse, _tautan_links_v1_ListEndedQrRoutesResponse__Output>
        ListQrRoutesRequest: MessageTypeDefinition<_tautan_links_v1_ListQrRoutesRequest, _tautan_links_v1_ListQrRoutesRequest__Output>
        ListQrRoutesResponse: MessageTypeDefinition<_tautan_links_v1_ListQrRoutesResponse, _tautan_links_v1_ListQrRoutesResponse__Output>
        PutQrRouteRequest: MessageTypeDefinition<_tautan_links_v1_PutQrRouteRequest, _tautan_links_v1_PutQrRouteRequest__Output>
        QrRoute: MessageTypeDefinition<_tautan_links_v1_QrRoute, _tautan_links_v1_QrRoute__Output>
        QrRoutes: SubtypeConstructor<typeof grpc.Client, _tautan_links_v1_QrRoutesClient> & { service: _tautan_links_v1_QrRoutesDefinition }
        QrTag: MessageTypeDefinition<_tautan_links_v1_QrTag, _tautan_links_v1_QrTag__Output>
        QrTagNames: MessageTypeDefinition<_tautan_links_v1_QrTagNames, _tautan_links_v1_QrTagNames__Output>
        RemoveQrRouteRequest: MessageTypeDefinition<_tautan_links_v1_RemoveQrRouteRequest, _tautan_links_v1_RemoveQrRouteRequest__Output>
        RemoveQrRouteResponse: MessageTypeDefinition<_tautan_links_v1_RemoveQrRouteResponse, _tautan_links_v1_RemoveQrRouteResponse__Output>
      }
    }
  }
}

