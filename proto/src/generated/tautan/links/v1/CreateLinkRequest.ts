// Original file: links.proto

import type { Long } from '@grpc/proto-loader';

export interface CreateLinkRequest {
  'url'?: (string);
  'slug'?: (string);
  'domain'?: (string);
  'title'?: (string);
  'description'?: (string);
  'tags'?: (string)[];
  'expiresAt'?: (string);
  'maxClicks'?: (number | string | Long);
  'operationId'?: (string);
  '_slug'?: "slug";
  '_domain'?: "domain";
  '_title'?: "title";
  '_description'?: "description";
  '_expiresAt'?: "expiresAt";
  '_maxClicks'?: "maxClicks";
  '_operationId'?: "operationId";
}

export interface CreateLinkRequest__Output {
  'url': (string);
  'slug'?: (string);
  'domain'?: (string);
  'title'?: (string);
  'description'?: (string);
  'tags': (string)[];
  'expiresAt'?: (string);
  'maxClicks'?: (number);
  'operationId'?: (string);
  '_slug'?: "slug";
  '_domain'?: "domain";
  '_title'?: "title";
  '_description'?: "description";
  '_expiresAt'?: "expiresAt";
  '_maxClicks'?: "maxClicks";
  '_operationId'?: "operationId";
}
