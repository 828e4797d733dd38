// Original file: qr.proto

import type { TagNames as _tautan_qr_v1_TagNames, TagNames__Output as _tautan_qr_v1_TagNames__Output } from '../../../tautan/qr/v1/TagNames.js';
import type { Long } from '@grpc/proto-loader';

export interface UpdateQrCodeRequest {
  'id'?: (string);
  'url'?: (string);
  'title'?: (string);
  'tags'?: (_tautan_qr_v1_TagNames | null);
  'expiresAt'?: (string);
  'maxScans'?: (number | string | Long);
  'styleConfig'?: (string);
  'logoRunRef'?: (string);
  'status'?: (string);
  'clear'?: (string)[];
  '_url'?: "url";
  '_title'?: "title";
  '_tags'?: "tags";
  '_expiresAt'?: "expiresAt";
  '_maxScans'?: "maxScans";
  '_styleConfig'?: "styleConfig";
  '_logoRunRef'?: "logoRunRef";
  '_status'?: "status";
}

export interface UpdateQrCodeRequest__Output {
  'id': (string);
  'url'?: (string);
  'title'?: (string);
  'tags'?: (_tautan_qr_v1_TagNames__Output | null);
  'expiresAt'?: (string);
  'maxScans'?: (number);
  'styleConfig'?: (string);
  'logoRunRef'?: (string);
  'status'?: (string);
  'clear': (string)[];
  '_url'?: "url";
  '_title'?: "title";
  '_tags'?: "tags";
  '_expiresAt'?: "expiresAt";
  '_maxScans'?: "maxScans";
  '_styleConfig'?: "styleConfig";
  '_logoRunRef'?: "logoRunRef";
  '_status'?: "status";
}
