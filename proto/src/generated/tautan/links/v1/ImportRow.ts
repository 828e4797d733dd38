// Original file: links.proto

import type { CreateLinkRequest as _tautan_links_v1_CreateLinkRequest, CreateLinkRequest__Output as _tautan_links_v1_CreateLinkRequest__Output } from '../../../tautan/links/v1/CreateLinkRequest.js';
import type { ImportError as _tautan_links_v1_ImportError, ImportError__Output as _tautan_links_v1_ImportError__Output } from '../../../tautan/links/v1/ImportError.js';

export interface ImportRow {
  'link'?: (_tautan_links_v1_CreateLinkRequest | null);
  'createdAt'?: (string);
  'error'?: (_tautan_links_v1_ImportError | null);
  'status'?: (string);
  '_createdAt'?: "createdAt";
  '_status'?: "status";
}

export interface ImportRow__Output {
  'link': (_tautan_links_v1_CreateLinkRequest__Output | null);
  'createdAt'?: (string);
  'error': (_tautan_links_v1_ImportError__Output | null);
  'status'?: (string);
  '_createdAt'?: "createdAt";
  '_status'?: "status";
}
