// Original file: links.proto


export interface ImportError {
  'code'?: (string);
  'message'?: (string);
  'field'?: (string);
  '_field'?: "field";
}

export interface ImportError__Output {
  'code': (string);
  'message': (string);
  'field'?: (string);
  '_field'?: "field";
}
