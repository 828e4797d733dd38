// Original file: links.proto

import type { TagNames as _tautan_links_v1_TagNames, TagNames__Output as _tautan_links_v1_TagNames__Output } from '../../../tautan/links/v1/TagNames.js';
import type { Long } from '@grpc/proto-loader';

export interface UpdateLinkRequest {
  'id'?: (string);
  'url'?: (string);
  'slug'?: (string);
  'title'?: (string);
  'description'?: (string);
  'tags'?: (_tautan_links_v1_TagNames | null);
  'expiresAt'?: (string);
  'maxClicks'?: (number | string | Long);
  'status'?: (string);
  'clear'?: (string)[];
  'domain'?: (string);
  '_url'?: "url";
  '_slug'?: "slug";
  '_title'?: "title";
  '_description'?: "description";
  '_tags'?: "tags";
  '_expiresAt'?: "expiresAt";
  '_maxClicks'?: "maxClicks";
  '_status'?: "status";
  '_domain'?: "domain";
}

export interface UpdateLinkRequest__Output {
  'id': (string);
  'url'?: (string);
  'slug'?: (string);
  'title'?: (string);
  'description'?: (string);
  'tags'?: (_tautan_links_v1_TagNames__Output | null);
  'expiresAt'?: (string);
  'maxClicks'?: (number);
  'status'?: (string);
  'clear': (string)[];
  'domain'?: (string);
  '_url'?: "url";
  '_slug'?: "slug";
  '_title'?: "title";
  '_description'?: "description";
  '_tags'?: "tags";
  '_expiresAt'?: "expiresAt";
  '_maxClicks'?: "maxClicks";
  '_status'?: "status";
  '_domain'?: "domain";
}
