// Original file: links.proto

import type { Long } from '@grpc/proto-loader';

export interface StatsTotals {
  'clicks'?: (number | string | Long);
  'uniques'?: (number | string | Long);
  'bots'?: (number | string | Long);
}

export interface StatsTotals__Output {
  'clicks': (number);
  'uniques': (number);
  'bots': (number);
}
