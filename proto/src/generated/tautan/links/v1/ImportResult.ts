// Original file: links.proto

import type { ImportError as _tautan_links_v1_ImportError, ImportError__Output as _tautan_links_v1_ImportError__Output } from '../../../tautan/links/v1/ImportError.js';

export interface ImportResult {
  'index'?: (number);
  'status'?: (string);
  'id'?: (string);
  'slug'?: (string);
  'error'?: (_tautan_links_v1_ImportError | null);
  '_id'?: "id";
  '_slug'?: "slug";
}

export interface ImportResult__Output {
  'index': (number);
  'status': (string);
  'id'?: (string);
  'slug'?: (string);
  'error': (_tautan_links_v1_ImportError__Output | null);
  '_id'?: "id";
  '_slug'?: "slug";
}
