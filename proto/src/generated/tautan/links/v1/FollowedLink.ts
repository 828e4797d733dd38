// Original file: qr-routes.proto

import type { Long } from '@grpc/proto-loader';

export interface FollowedLink {
  'url'?: (string);
  'status'?: (string);
  'expiresAt'?: (string);
  'maxClicks'?: (number | string | Long);
  'deleted'?: (boolean);
  '_expiresAt'?: "expiresAt";
  '_maxClicks'?: "maxClicks";
}

export interface FollowedLink__Output {
  'url': (string);
  'status': (string);
  'expiresAt'?: (string);
  'maxClicks'?: (number);
  'deleted': (boolean);
  '_expiresAt'?: "expiresAt";
  '_maxClicks'?: "maxClicks";
}
