import type * as grpc from '@grpc/grpc-js';
import type { MessageTypeDefinition } from '@grpc/proto-loader';

import type { AddDomainRequest as _tautan_links_v1_AddDomainRequest, AddDomainRequest__Output as _tautan_links_v1_AddDomainRequest__Output } from './tautan/links/v1/AddDomainRequest.js';
import type { DeleteDomainRequest as _tautan_links_v1_DeleteDomainRequest, DeleteDomainRequest__Output as _tautan_links_v1_DeleteDomainRequest__Output } from './tautan/links/v1/DeleteDomainRequest.js';
import type { DeleteDomainResponse as _tautan_links_v1_DeleteDomainResponse, DeleteDomainResponse__Output as _tautan_links_v1_DeleteDomainResponse__Output } from './tautan/links/v1/DeleteDomainResponse.js';
import type { DnsRecord as _tautan_links_v1_DnsRecord, DnsRecord__Output as _tautan_links_v1_DnsRecord__Output } from './tautan/links/v1/DnsRecord.js';
import type { Domain as _tautan_links_v1_Domain, Domain__Output as _tautan_links_v1_Domain__Output } from './tautan/links/v1/Domain.js';
import type { DomainsClient as _tautan_links_v1_DomainsClient, DomainsDefinition as _tautan_links_v1_DomainsDefinition } from './tautan/links/v1/Domains.js';
import type { GetDomainRequest as _tautan_links_v1_GetDomainRequest, GetDomainRequest__Output as _tautan_links_v1_GetDomainRequest__Output } from './tautan/links/v1/GetDomainRequest.js';
import type { ListDomainsRequest as _tautan_links_v1_ListDomainsRequest, ListDomainsRequest__Output as _tautan_links_v1_ListDomainsRequest__Output } from './tautan/links/v1/ListDomainsRequest.js';
import type { ListDomainsResponse as _tautan_links_v1_ListDomainsResponse, ListDomainsResponse__Output as _tautan_links_v1_ListDomainsResponse__Output } from './tautan/links/v1/ListDomainsResponse.js';
import type { UpdateDomainRequest as _tautan_links_v1_UpdateDomainRequest, UpdateDomainRequest__Output as _tautan_links_v1_UpdateDomainRequest__Output } from './tautan/links/v1/UpdateDomainRequest.js';
import type { VerifyDomainRequest as _tautan_links_v1_VerifyDomainRequest, VerifyDomainRequest__Output as _tautan_links_v1_VerifyDomainRequest__Output } from './tautan/links/v1/VerifyDomainRequest.js';

type SubtypeConstructor<Constructor extends new (...args: any) => any, Subtype> = {
  new(...args: ConstructorParameters<Constructor>): Subtype;
};

export interface ProtoGrpcType {
  tautan: {
    links: {
      v1: {
        AddDomainRequest: MessageTypeDefinition<_tautan_links_v1_AddDomainRequest, _tautan_links_v1_AddDomainRequest__Output>
        DeleteDomainRequest: MessageTypeDefinition<_tautan_links_v1_DeleteDomainRequest, _tautan_links_v1_DeleteDomainRequest__Output>
        DeleteDomainResponse: MessageTypeDefinition<_tautan_links_v1_DeleteDomainResponse, _tautan_links_v1_DeleteDomainResponse__Output>
        DnsRecord: MessageTypeDefinition<_tautan_links_v1_DnsRecord, _tautan_links_v1_DnsRecord__Output>
        Domain: MessageTypeDefinition<_tautan_links_v1_Domain, _tautan_links_v1_Domain__Output>
        Domains: SubtypeConstructor<typeof grpc.Client, _tautan_links_v1_DomainsClient> & { service: _tautan_links_v1_DomainsDefinition }
        GetDomainRequest: MessageTypeDefinition<_tautan_links_v1_GetDomainRequest, _tautan_links_v1_GetDomainRequest__Output>
        ListDomainsRequest: MessageTypeDefinition<_tautan_links_v1_ListDomainsRequest, _tautan_links_v1_ListDomainsRequest__Output>
        ListDomainsResponse: MessageTypeDefinition<_tautan_links_v1_ListDomainsResponse, _tautan_links_v1_ListDomainsResponse__Output>
        UpdateDomainRequest: MessageTypeDefinition<_tautan_links_v1_UpdateDomainRequest, _tautan_links_v1_UpdateDomainRequest__Output>
        VerifyDomainRequest: MessageTypeDefinition<_tautan_links_v1_VerifyDomainRequest, _tautan_links_v1_VerifyDomainRequest__Output>
      }
    }
  }
}

