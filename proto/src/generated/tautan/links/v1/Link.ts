// Original file: links.proto

import type { Creator as _tautan_links_v1_Creator, Creator__Output as _tautan_links_v1_Creator__Output } from '../../../tautan/links/v1/Creator.js';
import type { Long } from '@grpc/proto-loader';

export interface Link {
  'id'?: (string);
  'slug'?: (string);
  'domain'?: (string);
  'shortUrl'?: (string);
  'url'?: (string);
  'title'?: (string);
  'description'?: (string);
  'tags'?: (string)[];
  'status'?: (string);
  'expiresAt'?: (string);
  'maxClicks'?: (number | string | Long);
  'clickCount'?: (number | string | Long);
  'lastClickAt'?: (string);
  'qrCodeCount'?: (number | string | Long);
  'createdBy'?: (_tautan_links_v1_Creator | null);
  'createdAt'?: (string);
  'updatedAt'?: (string);
  '_domain'?: "domain";
  '_title'?: "title";
  '_description'?: "description";
  '_expiresAt'?: "expiresAt";
  '_maxClicks'?: "maxClicks";
  '_lastClickAt'?: "lastClickAt";
}

export interface Link__Output {
  'id': (string);
  'slug': (string);
  'domain'?: (string);
  'shortUrl': (string);
  'url': (string);
  'title'?: (string);
  'description'?: (string);
  'tags': (string)[];
  'status': (string);
  'expiresAt'?: (string);
  'maxClicks'?: (number);
  'clickCount': (number);
  'lastClickAt'?: (string);
  'qrCodeCount': (number);
  'createdBy': (_tautan_links_v1_Creator__Output | null);
  'createdAt': (string);
  'updatedAt': (string);
  '_domain'?: "domain";
  '_title'?: "title";
  '_description'?: "description";
  '_expiresAt'?: "expiresAt";
  '_maxClicks'?: "maxClicks";
  '_lastClickAt'?: "lastClickAt";
}
