// Original file: links.proto

import type { Long } from '@grpc/proto-loader';

export interface StatsPoint {
  'time'?: (string);
  'clicks'?: (number | string | Long);
  'uniques'?: (number | string | Long);
}

export interface StatsPoint__Output {
  'time': (string);
  'clicks': (number);
  'uniques': (number);
}
