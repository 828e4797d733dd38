// Original file: workspaces.proto


export interface StoredAnswer {
  'status'?: (number);
  'body'?: (string);
}

export interface StoredAnswer__Output {
  'status': (number);
  'body': (string);
}
