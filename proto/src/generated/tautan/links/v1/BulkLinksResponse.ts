// Original file: links.proto

import type { BulkFailure as _tautan_links_v1_BulkFailure, BulkFailure__Output as _tautan_links_v1_BulkFailure__Output } from '../../../tautan/links/v1/BulkFailure.js';

export interface BulkLinksResponse {
  'action'?: (string);
  'updated'?: (number);
  'failed'?: (_tautan_links_v1_BulkFailure)[];
  'unchanged'?: (number);
}

export interface BulkLinksResponse__Output {
  'action': (string);
  'updated': (number);
  'failed': (_tautan_links_v1_BulkFailure__Output)[];
  'unchanged': (number);
}
