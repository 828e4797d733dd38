// Original file: links.proto

import type { ImportResult as _tautan_links_v1_ImportResult, ImportResult__Output as _tautan_links_v1_ImportResult__Output } from '../../../tautan/links/v1/ImportResult.js';

export interface ImportLinksResponse {
  'dryRun'?: (boolean);
  'total'?: (number);
  'created'?: (number);
  'failed'?: (number);
  'results'?: (_tautan_links_v1_ImportResult)[];
}

export interface ImportLinksResponse__Output {
  'dryRun': (boolean);
  'total': (number);
  'created': (number);
  'failed': (number);
  'results': (_tautan_links_v1_ImportResult__Output)[];
}
