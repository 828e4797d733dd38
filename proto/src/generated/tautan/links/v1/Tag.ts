// Original file: links.proto

import type { Long } from '@grpc/proto-loader';

export interface Tag {
  'id'?: (string);
  'name'?: (string);
  'linkCount'?: (number | string | Long);
  'qrCodeCount'?: (number | string | Long);
  'createdAt'?: (string);
  'updatedAt'?: (string);
}

export interface Tag__Output {
  'id': (string);
  'name': (string);
  'linkCount': (number);
  'qrCodeCount': (number);
  'createdAt': (string);
  'updatedAt': (string);
}
