// Original file: qr-routes.proto

import type { QrRoute as _tautan_links_v1_QrRoute, QrRoute__Output as _tautan_links_v1_QrRoute__Output } from '../../../tautan/links/v1/QrRoute.js';

export interface ListQrRoutesResponse {
  'routes'?: (_tautan_links_v1_QrRoute)[];
}

export interface ListQrRoutesResponse__Output {
  'routes': (_tautan_links_v1_QrRoute__Output)[];
}
