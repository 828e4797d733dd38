// Original file: operator.proto


export interface ShardedCollection {
  'name'?: (string);
  'key'?: (string);
  'state'?: (string);
}

export interface ShardedCollection__Output {
  'name': (string);
  'key': (string);
  'state': (string);
}
