// Original file: links.proto

import type { Long } from '@grpc/proto-loader';

export interface WorkspaceTotals {
  'links'?: (number | string | Long);
  'qrCodes'?: (number | string | Long);
  'clicks'?: (number | string | Long);
  'scans'?: (number | string | Long);
  'uniques'?: (number | string | Long);
  'bots'?: (number | string | Long);
}

export interface WorkspaceTotals__Output {
  'links': (number);
  'qrCodes': (number);
  'clicks': (number);
  'scans': (number);
  'uniques': (number);
  'bots': (number);
}
