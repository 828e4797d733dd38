// Original file: operator.proto


export interface ShardCollectionsRequest {
  'apply'?: (boolean);
}

export interface ShardCollectionsRequest__Output {
  'apply': (boolean);
}
