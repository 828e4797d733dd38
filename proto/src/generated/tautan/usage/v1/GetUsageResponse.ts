// Original file: usage.proto

import type { Long } from '@grpc/proto-loader';

export interface GetUsageResponse {
  'used'?: ({[key: string]: number | string | Long});
}

export interface GetUsageResponse__Output {
  'used': ({[key: string]: number});
}
