// Original file: qr.proto

import type { QrCreator as _tautan_qr_v1_QrCreator, QrCreator__Output as _tautan_qr_v1_QrCreator__Output } from '../../../tautan/qr/v1/QrCreator.js';
import type { Long } from '@grpc/proto-loader';

export interface QrCode {
  'id'?: (string);
  'title'?: (string);
  'url'?: (string);
  'linkId'?: (string);
  'slug'?: (string);
  'shortUrl'?: (string);
  'styleConfig'?: (string);
  'logoRunRef'?: (string);
  'tags'?: (string)[];
  'status'?: (string);
  'expiresAt'?: (string);
  'maxScans'?: (number | string | Long);
  'scanCount'?: (number | string | Long);
  'lastScanAt'?: (string);
  'createdBy'?: (_tautan_qr_v1_QrCreator | null);
  'createdAt'?: (string);
  'updatedAt'?: (string);
  '_title'?: "title";
  '_url'?: "url";
  '_linkId'?: "linkId";
  '_logoRunRef'?: "logoRunRef";
  '_expiresAt'?: "expiresAt";
  '_maxScans'?: "maxScans";
  '_lastScanAt'?: "lastScanAt";
}

export interface QrCode__Output {
  'id': (string);
  'title'?: (string);
  'url'?: (string);
  'linkId'?: (string);
  'slug': (string);
  'shortUrl': (string);
  'styleConfig': (string);
  'logoRunRef'?: (string);
  'tags': (string)[];
  'status': (string);
  'expiresAt'?: (string);
  'maxScans'?: (number);
  'scanCount': (number);
  'lastScanAt'?: (string);
  'createdBy': (_tautan_qr_v1_QrCreator__Output | null);
  'createdAt': (string);
  'updatedAt': (string);
  '_title'?: "title";
  '_url'?: "url";
  '_linkId'?: "linkId";
  '_logoRunRef'?: "logoRunRef";
  '_expiresAt'?: "expiresAt";
  '_maxScans'?: "maxScans";
  '_lastScanAt'?: "lastScanAt";
}
