import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { BulkFailure as _tautan_links_v1_BulkFailure, BulkFailure__Output as _tautan_links_v1_BulkFailure__Output } from './tautan/links/v1/BulkFailure.js';
import type { BulkLinksRequest as _tautan_links_v1_BulkLinksRequest, BulkLinksRequest__Output as _tautan_links_v1_BulkLinksRequest__Output } from './tautan/links/v1/BulkLinksRequest.js';
import type { BulkLinksResponse as _tautan_links_v1_BulkLinksResponse, BulkLinksResponse__Output as _tautan_links_v1_BulkLinksResponse__Output } from './tautan/links/v1/BulkLinksResponse.js';
import type { CreateLinkRequest as _tautan_links_v1_CreateLinkRequest, CreateLinkRequest__Output as _tautan_links_v1_CreateLinkRequest__Output } from './tautan/links/v1/CreateLinkRequest.js';
import type { CreateTagRequest as _tautan_links_v1_CreateTagRequest, CreateTagRequest__Output as _tautan_links_v1_CreateTagRequest__Output } from './tautan/links/v1/CreateTagRequest.js';
import type { Creator as _tautan_links_v1_Creator, Creator__Output as _tautan_links_v1_Creator__Output } from './tautan/links/v1/Creator.js';
import type { DeleteLinkRequest as _tautan_links_v1_DeleteLinkRequest, DeleteLinkRequest__Output as _tautan_links_v1_DeleteLinkRequest__Output } from './tautan/links/v1/DeleteLinkRequest.js';
import type { DeleteLinkResponse as _tautan_links_v1_DeleteLinkResponse, DeleteLinkResponse__Output as _tautan_links_v1_DeleteLinkResponse__Output } from './tautan/links/v1/DeleteLinkResponse.js';
import type { DeleteTagRequest as _tautan_links_v1_DeleteTagRequest, DeleteTagRequest__Output as _tautan_links_v1_DeleteTagRequest__Output } from './tautan/links/v1/DeleteTagRequest.js';
import type { DeleteTagResponse as _tautan_links_v1_DeleteTagResponse, DeleteTagResponse__Output as _tautan_links_v1_DeleteTagResponse__Output } from './tautan/links/v1/DeleteTagResponse.js';
import type { ExportLinksChunk as _tautan_links_v1_ExportLinksChunk, ExportLinksChunk__Output as _tautan_links_v1_ExportLinksChunk__Output } from './tautan/links/v1/ExportLinksChunk.js';
import type { ExportLinksRequest as _tautan_links_v1_ExportLinksRequest, ExportLinksRequest__Output as _tautan_links_v1_ExportLinksRequest__Output } from './tautan/links/v1/ExportLinksRequest.js';
import type { GetLinkRequest as _tautan_links_v1_GetLinkRequest, GetLinkRequest__Output as _tautan_links_v1_GetLinkRequest__Output } from './tautan/links/v1/GetLinkRequest.js';
import type { GetLinkStatsRequest as _tautan_links_v1_GetLinkStatsRequest, GetLinkStatsRequest__Output as _tautan_links_v1_GetLinkStatsRequest__Output } from './tautan/links/v1/GetLinkStatsRequest.js';
import type { GetQrCodeStatsRequest as _tautan_links_v1_GetQrCodeStatsRequest, GetQrCodeStatsRequest__Output as _tautan_links_v1_GetQrCodeStatsRequest__Output } from './tautan/links/v1/GetQrCodeStatsRequest.js';
import type { GetWorkspaceStatsRequest as _tautan_links_v1_GetWorkspaceStatsRequest, GetWorkspaceStatsRequest__Output as _tautan_links_v1_GetWorkspaceStatsRequest__Output } from './tautan/links/v1/GetWorkspaceStatsRequest.js';
import type { ImportError as _tautan_links_v1_ImportError, ImportError__Output as _tautan_links_v1_ImportError__Output } from './tautan/links/v1/ImportError.js';
import type { ImportLinksRequest as _tautan_links_v1_ImportLinksRequest, ImportLinksRequest__Output as _tautan_links_v1_ImportLinksRequest__Output } from './tautan/links/v1/ImportLinksRequest.js';
import type { ImportLinksResponse as _tautan_links_v1_ImportLinksResponse, ImportLinksResponse__Output as _tautan_links_v1_ImportLinksResponse__Output } from './tautan/links/v1/ImportLinksResponse.js';
import type { ImportResult as _tautan_links_v1_ImportResult, ImportResult__Output as _tautan_links_v1_ImportResult__Output } from './tautan/links/v1/ImportResult.js';
import type { ImportRow as _tautan_links_v1_ImportRow, ImportRow__Output as _tautan_links_v1_ImportRow__Output } from './tautan/links/v1/ImportRow.js';
import type { KeyClicks as _tautan_links_v1_KeyClicks, KeyClicks__Output as _tautan_links_v1_KeyClicks__Output } from './tautan/links/v1/KeyClicks.js';
import type { Link as _tautan_links_v1_Link, Link__Output as _tautan_links_v1_Link__Output } from './tautan/links/v1/Link.js';
import type { LinkClicks as _tautan_links_v1_LinkClicks, LinkClicks__Output as _tautan_links_v1_LinkClicks__Output } from './tautan/links/v1/LinkClicks.js';
import type { LinksClient as _tautan_links_v1_LinksClient, LinksDefinition as _tautan_links_v1_LinksDefinition } from './tautan/links/v1/Links.js';
import type { ListLinksRequest as _tautan_links_v1_ListLinksRequest, ListLinksRequest__Output as _tautan_links_v1_ListLinksRequest__Output } from './tautan/links/v1/ListLinksRequest.js';
import type { ListLinksResponse as _tautan_links_v1_ListLinksResponse, ListLinksResponse__Output as _tautan_links_v1_ListLinksResponse__Output } from './tautan/links/v1/ListLinksResponse.js';
import type { ListTagsRequest as _tautan_links_v1_ListTagsRequest, ListTagsRequest__Output as _tautan_links_v1_ListTagsRequest__Output } from './tautan/links/v1/ListTagsRequest.js';
import type { ListTagsResponse as _tautan_links_v1_ListTagsResponse, ListTagsResponse__Output as _tautan_links_v1_ListTagsResponse__Output } from './tautan/links/v1/ListTagsResponse.js';
import type { RebuildDayRequest as _tautan_links_v1_RebuildDayRequest, RebuildDayRequest__Output as _tautan_links_v1_RebuildDayRequest__Output } from './tautan/links/v1/RebuildDayRequest.js';
import type { RebuiltDay as _tautan_links_v1_RebuiltDay, RebuiltDay__Output as _tautan_links_v1_RebuiltDay__Output } from './tautan/links/v1/RebuiltDay.js';
import type { RenameTagRequest as _tautan_links_v1_RenameTagRequest, RenameTagRequest__Output as _tautan_links_v1_RenameTagRequest__Output } from './tautan/links/v1/RenameTagRequest.js';
import type { StatsClient as _tautan_links_v1_StatsClient, StatsDefinition as _tautan_links_v1_StatsDefinition } from './tautan/links/v1/Stats.js';
import type { StatsOperatorClient as _tautan_links_v1_StatsOperatorClient, StatsOperatorDefinition as _tautan_links_v1_StatsOperatorDefinition } from './tautan/links/v1/StatsOperator.js';
import type { StatsPoint as _tautan_links_v1_StatsPoint, StatsPoint__Output as _tautan_links_v1_StatsPoint__Output } from './tautan/links/v1/StatsPoint.js';
import type { StatsSeries as _tautan_links_v1_StatsSeries, StatsSeries__Output as _tautan_links_v1_StatsSeries__Output } from './tautan/links/v1/StatsSeries.js';
import type { StatsTotals as _tautan_links_v1_StatsTotals, StatsTotals__Output as _tautan_links_v1_StatsTotals__Output } from './tautan/links/v1/StatsTotals.js';
import type { SubjectStats as _tautan_links_v1_SubjectStats, SubjectStats__Output as _tautan_links_v1_SubjectStats__Output } from './tautan/links/v1/SubjectStats.js';
import type { Tag as _tautan_links_v1_Tag, Tag__Output as _tautan_links_v1_Tag__Output } from './tautan/links/v1/Tag.js';
import type { TagNames as _tautan_links_v1_TagNames, TagNames__Output as _tautan_links_v1_TagNames__Output } from './tautan/links/v1/TagNames.js';
import type { TagsClient as _tautan_links_v1_TagsClient, TagsDefinition as _tautan_links_v1_TagsDefinition } from './tautan/links/v1/Tags.js';
import type { UpdateLinkRequest as _tautan_links_v1_UpdateLinkRequest, UpdateLinkRequest__Output as _tautan_links_v1_UpdateLinkRequest__Output } from './tautan/links/v1/UpdateLinkRequest.js';
import type { WorkspaceStats as _tautan_links_v1_WorkspaceStats, WorkspaceStats__Output as _tautan_links_v1_WorkspaceStats__Output } from './tautan/links/v1/WorkspaceStats.js';
import type { WorkspaceTotals as _tautan_links_v1_WorkspaceTotals, WorkspaceTotals__Output as _tautan_links_v1_WorkspaceTotals__Output } from './tautan/links/v1/WorkspaceTotals.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    links: {
      v1: {
        BulkFailure: MessageTypeDefinition<_tautan_links_v1_BulkFailure, _tautan_links_v1_BulkFailure__Output>
        BulkLinksRequest: MessageTypeDefinition<_tautan_links_v1_BulkLinksRequest, _tautan_links_v1_BulkLinksRequest__Output>
        BulkLinksResponse: MessageTypeDefinition<_tautan_links_v1_BulkLinksResponse, _tautan_links_v1_BulkLinksResponse__Output>
        CreateLinkRequest: MessageTypeDefinition<_tautan_links_v1_CreateLinkRequest, _tautan_links_v1_CreateLinkRequest__Output>
        CreateTagRequest: MessageTypeDefinition<_tautan_links_v1_CreateTagRequest, _tautan_links_v1_CreateTagRequest__Output>
        Creator: MessageTypeDefinition<_tautan_links_v1_Creator, _tautan_links_v1_Creator__Output>
        DeleteLinkRequest: MessageTypeDefinition<_tautan_links_v1_DeleteLinkRequest, _tautan_links_v1_DeleteLinkRequest__Output>
        DeleteLinkResponse: MessageTypeDefinition<_tautan_links_v1_DeleteLinkResponse, _tautan_links_v1_DeleteLinkResponse__Output>
        DeleteTagRequest: MessageTypeDefinition<_tautan_links_v1_DeleteTagRequest, _tautan_links_v1_DeleteTagRequest__Output>
        DeleteTagResponse: MessageTypeDefinition<_tautan_links_v1_DeleteTagResponse, _tautan_links_v1_DeleteTagResponse__Output>
        ExportLinksChunk: MessageTypeDefinition<_tautan_links_v1_ExportLinksChunk, _tautan_links_v1_ExportLinksChunk__Output>
        ExportLinksRequest: MessageTypeDefinition<_tautan_links_v1_ExportLinksRequest, _tautan_links_v1_ExportLinksRequest__Output>
        GetLinkRequest: MessageTypeDefinition<_tautan_links_v1_GetLinkRequest, _tautan_links_v1_GetLinkRequest__Output>
        GetLinkStatsRequest: MessageTypeDefinition<_tautan_links_v1_GetLinkStatsRequest, _tautan_links_v1_GetLinkStatsRequest__Output>
        GetQrCodeStatsRequest: MessageTypeDefinition<_tautan_links_v1_GetQrCodeStatsRequest, _tautan_links_v1_GetQrCodeStatsRequest__Output>
        GetWorkspaceStatsRequest: MessageTypeDefinition<_tautan_links_v1_GetWorkspaceStatsRequest, _tautan_links_v1_GetWorkspaceStatsRequest__Output>
        ImportError: MessageTypeDefinition<_tautan_links_v1_ImportError, _tautan_links_v1_ImportError__Output>
        ImportLinksRequest: MessageTypeDefinition<_tautan_links_v1_ImportLinksRequest, _tautan_links_v1_ImportLinksRequest__Output>
        ImportLinksResponse: MessageTypeDefinition<_tautan_links_v1_ImportLinksResponse, _tautan_links_v1_ImportLinksResponse__Output>
        ImportResult: MessageTypeDefinition<_tautan_links_v1_ImportResult, _tautan_links_v1_ImportResult__Output>
        ImportRow: MessageTypeDefinition<_tautan_links_v1_ImportRow, _tautan_links_v1_ImportRow__Output>
        KeyClicks: MessageTypeDefinition<_tautan_links_v1_KeyClicks, _tautan_links_v1_KeyClicks__Output>
        Link: MessageTypeDefinition<_tautan_links_v1_Link, _tautan_links_v1_Link__Output>
        LinkClicks: MessageTypeDefinition<_tautan_links_v1_LinkClicks, _tautan_links_v1_LinkClicks__Output>
        Links: SubtypeConstructor<typeof grpc.Client, _tautan_links_v1_LinksClient> & { service: _tautan_links_v1_LinksDefinition }
        ListLinksRequest: MessageTypeDefinition<_tautan_links_v1_ListLinksRequest, _tautan_links_v1_ListLinksRequest__Output>
        ListLinksResponse: MessageTypeDefinition<_tautan_links_v1_ListLinksResponse, _tautan_links_v1_ListLinksResponse__Output>
        ListTagsRequest: MessageTypeDefinition<_tautan_links_v1_ListTagsRequest, _tautan_links_v1_ListTagsRequest__Output>
        ListTagsResponse: MessageTypeDefinition<_tautan_links_v1_ListTagsResponse, _tautan_links_v1_ListTagsResponse__Output>
        RebuildDayRequest: MessageTypeDefinition<_tautan_links_v1_RebuildDayRequest, _tautan_links_v1_RebuildDayRequest__Output>
        RebuiltDay: MessageTypeDefinition<_tautan_links_v1_RebuiltDay, _tautan_links_v1_RebuiltDay__Output>
        RenameTagRequest: MessageTypeDefinition<_tautan_links_v1_RenameTagRequest, _tautan_links_v1_RenameTagRequest__Output>
        Stats: SubtypeConstructor<typeof grpc.Client, _tautan_links_v1_StatsClient> & { service: _tautan_links_v1_StatsDefinition }
        StatsOperator: SubtypeConstructor<typeof grpc.Client, _tautan_links_v1_StatsOperatorClient> & { service: _tautan_links_v1_StatsOperatorDefinition }
        StatsPoint: MessageTypeDefinition<_tautan_links_v1_StatsPoint, _tautan_links_v1_StatsPoint__Output>
        StatsSeries: MessageTypeDefinition<_tautan_links_v1_StatsSeries, _tautan_links_v1_StatsSeries__Output>
        StatsTotals: MessageTypeDefinition<_tautan_links_v1_StatsTotals, _tautan_links_v1_StatsTotals__Output>
        SubjectStats: MessageTypeDefinition<_tautan_links_v1_SubjectStats, _tautan_links_v1_SubjectStats__Output>
        Tag: MessageTypeDefinition<_tautan_links_v1_Tag, _tautan_links_v1_Tag__Output>
        TagNames: MessageTypeDefinition<_tautan_links_v1_TagNames, _tautan_links_v1_TagNames__Output>
        Tags: SubtypeConstructor<typeof grpc.Client, _tautan_links_v1_TagsClient> & { service: _tautan_links_v1_TagsDefinition }
        UpdateLinkRequest: MessageTypeDefinition<_tautan_links_v1_UpdateLinkRequest, _tautan_links_v1_UpdateLinkRequest__Output>
        WorkspaceStats: MessageTypeDefinition<_tautan_links_v1_WorkspaceStats, _tautan_links_v1_WorkspaceStats__Output>
        WorkspaceTotals: MessageTypeDefinition<_tautan_links_v1_WorkspaceTotals, _tautan_links_v1_WorkspaceTotals__Output>
      }
    }
  }
}

