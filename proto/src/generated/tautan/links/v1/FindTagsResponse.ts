// Original file: qr-routes.proto

import type { FoundTag as _tautan_links_v1_FoundTag, FoundTag__Output as _tautan_links_v1_FoundTag__Output } from '../../../tautan/links/v1/FoundTag.js';

export interface FindTagsResponse {
  'tags'?: (_tautan_links_v1_FoundTag)[];
}

export interface FindTagsResponse__Output {
  'tags': (_tautan_links_v1_FoundTag__Output)[];
}
