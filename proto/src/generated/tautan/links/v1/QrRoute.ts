// Original file: qr-routes.proto

import type { QrTag as _tautan_links_v1_QrTag, QrTag__Output as _tautan_links_v1_QrTag__Output } from '../../../tautan/links/v1/QrTag.js';
import type { FollowedLink as _tautan_links_v1_FollowedLink, FollowedLink__Output as _tautan_links_v1_FollowedLink__Output } from '../../../tautan/links/v1/FollowedLink.js';
import type { Long } from '@grpc/proto-loader';

export interface QrRoute {
  'qrCodeId'?: (string);
  'slug'?: (string);
  'shortUrl'?: (string);
  'tags'?: (_tautan_links_v1_QrTag)[];
  'scanCount'?: (number | string | Long);
  'lastScanAt'?: (string);
  'remaining'?: (number | string | Long);
  'version'?: (number | string | Long);
  'followed'?: (_tautan_links_v1_FollowedLink | null);
  '_lastScanAt'?: "lastScanAt";
  '_remaining'?: "remaining";
  '_followed'?: "followed";
}

export interface QrRoute__Output {
  'qrCodeId': (string);
  'slug': (string);
  'shortUrl': (string);
  'tags': (_tautan_links_v1_QrTag__Output)[];
  'scanCount': (number);
  'lastScanAt'?: (string);
  'remaining'?: (number);
  'version': (number);
  'followed'?: (_tautan_links_v1_FollowedLink__Output | null);
  '_lastScanAt'?: "lastScanAt";
  '_remaining'?: "remaining";
  '_followed'?: "followed";
}
