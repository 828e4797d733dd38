// Original file: qr.proto

import type { Long } from '@grpc/proto-loader';

export interface CreateQrCodeRequest {
  'url'?: (string);
  'linkId'?: (string);
  'title'?: (string);
  'tags'?: (string)[];
  'expiresAt'?: (string);
  'maxScans'?: (number | string | Long);
  'styleConfig'?: (string);
  'logoRunRef'?: (string);
  'operationId'?: (string);
  '_url'?: "url";
  '_linkId'?: "linkId";
  '_title'?: "title";
  '_expiresAt'?: "expiresAt";
  '_maxScans'?: "maxScans";
  '_styleConfig'?: "styleConfig";
  '_logoRunRef'?: "logoRunRef";
  '_operationId'?: "operationId";
}

export interface CreateQrCodeRequest__Output {
  'url'?: (string);
  'linkId'?: (string);
  'title'?: (string);
  'tags': (string)[];
  'expiresAt'?: (string);
  'maxScans'?: (number);
  'styleConfig'?: (string);
  'logoRunRef'?: (string);
  'operationId'?: (string);
  '_url'?: "url";
  '_linkId'?: "linkId";
  '_title'?: "title";
  '_expiresAt'?: "expiresAt";
  '_maxScans'?: "maxScans";
  '_styleConfig'?: "styleConfig";
  '_logoRunRef'?: "logoRunRef";
  '_operationId'?: "operationId";
}
