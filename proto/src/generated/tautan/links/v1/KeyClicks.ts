// Original file: links.proto

import type { Long } from '@grpc/proto-loader';

export interface KeyClicks {
  'key'?: (string);
  'clicks'?: (number | string | Long);
}

export interface KeyClicks__Output {
  'key': (string);
  'clicks': (number);
}
