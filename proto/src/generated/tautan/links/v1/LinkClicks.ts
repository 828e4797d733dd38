// Original file: links.proto

import type { Long } from '@grpc/proto-loader';

export interface LinkClicks {
  'id'?: (string);
  'slug'?: (string);
  'clicks'?: (number | string | Long);
}

export interface LinkClicks__Output {
  'id': (string);
  'slug': (string);
  'clicks': (number);
}
