// Original file: domains.proto

import type { Domain as _tautan_links_v1_Domain, Domain__Output as _tautan_links_v1_Domain__Output } from '../../../tautan/links/v1/Domain.js';

export interface ListDomainsResponse {
  'domains'?: (_tautan_links_v1_Domain)[];
}

export interface ListDomainsResponse__Output {
  'domains': (_tautan_links_v1_Domain__Output)[];
}
