// Original file: operator.proto

import type { ShardedCollection as _tautan_operator_v1_ShardedCollection, ShardedCollection__Output as _tautan_operator_v1_ShardedCollection__Output } from '../../../tautan/operator/v1/ShardedCollection.js';

export interface ShardCollectionsResponse {
  'database'?: (string);
  'collections'?: (_tautan_operator_v1_ShardedCollection)[];
}

export interface ShardCollectionsResponse__Output {
  'database': (string);
  'collections': (_tautan_operator_v1_ShardedCollection__Output)[];
}
