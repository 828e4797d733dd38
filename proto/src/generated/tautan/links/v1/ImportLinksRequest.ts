// Original file: links.proto

import type { ImportRow as _tautan_links_v1_ImportRow, ImportRow__Output as _tautan_links_v1_ImportRow__Output } from '../../../tautan/links/v1/ImportRow.js';

export interface ImportLinksRequest {
  'dryRun'?: (boolean);
  'links'?: (_tautan_links_v1_ImportRow)[];
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface ImportLinksRequest__Output {
  'dryRun': (boolean);
  'links': (_tautan_links_v1_ImportRow__Output)[];
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
