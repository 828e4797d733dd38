// Original file: links.proto

import type { Tag as _tautan_links_v1_Tag, Tag__Output as _tautan_links_v1_Tag__Output } from '../../../tautan/links/v1/Tag.js';

export interface ListTagsResponse {
  'tags'?: (_tautan_links_v1_Tag)[];
}

export interface ListTagsResponse__Output {
  'tags': (_tautan_links_v1_Tag__Output)[];
}
