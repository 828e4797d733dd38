// Original file: links.proto

import type { Link as _tautan_links_v1_Link, Link__Output as _tautan_links_v1_Link__Output } from '../../../tautan/links/v1/Link.js';

export interface ExportLinksChunk {
  'links'?: (_tautan_links_v1_Link)[];
}

export interface ExportLinksChunk__Output {
  'links': (_tautan_links_v1_Link__Output)[];
}
