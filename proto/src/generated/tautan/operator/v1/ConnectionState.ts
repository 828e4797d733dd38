// Original file: operator.proto


export interface ConnectionState {
  'name'?: (string);
  'connected'?: (boolean);
}

export interface ConnectionState__Output {
  'name': (string);
  'connected': (boolean);
}
