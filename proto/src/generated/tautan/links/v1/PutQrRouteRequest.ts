// Original file: qr-routes.proto

import type { QrTagNames as _tautan_links_v1_QrTagNames, QrTagNames__Output as _tautan_links_v1_QrTagNames__Output } from '../../../tautan/links/v1/QrTagNames.js';
import type { Long } from '@grpc/proto-loader';

export interface PutQrRouteRequest {
  'qrCodeId'?: (string);
  'version'?: (number | string | Long);
  'url'?: (string);
  'linkId'?: (string);
  'status'?: (string);
  'expiresAt'?: (string);
  'maxScans'?: (number | string | Long);
  'tags'?: (_tautan_links_v1_QrTagNames | null);
  '_url'?: "url";
  '_linkId'?: "linkId";
  '_expiresAt'?: "expiresAt";
  '_maxScans'?: "maxScans";
  '_tags'?: "tags";
}

export interface PutQrRouteRequest__Output {
  'qrCodeId': (string);
  'version': (number);
  'url'?: (string);
  'linkId'?: (string);
  'status': (string);
  'expiresAt'?: (string);
  'maxScans'?: (number);
  'tags'?: (_tautan_links_v1_QrTagNames__Output | null);
  '_url'?: "url";
  '_linkId'?: "linkId";
  '_expiresAt'?: "expiresAt";
  '_maxScans'?: "maxScans";
  '_tags'?: "tags";
}
