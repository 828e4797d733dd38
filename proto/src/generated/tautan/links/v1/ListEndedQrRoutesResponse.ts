// Original file: qr-routes.proto

import type { EndedQrRoute as _tautan_links_v1_EndedQrRoute, EndedQrRoute__Output as _tautan_links_v1_EndedQrRoute__Output } from '../../../tautan/links/v1/EndedQrRoute.js';

export interface ListEndedQrRoutesResponse {
  'ended'?: (_tautan_links_v1_EndedQrRoute)[];
}

export interface ListEndedQrRoutesResponse__Output {
  'ended': (_tautan_links_v1_EndedQrRoute__Output)[];
}
