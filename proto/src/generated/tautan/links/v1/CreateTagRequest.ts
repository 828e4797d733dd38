// Original file: links.proto


export interface CreateTagRequest {
  'name'?: (string);
}

export interface CreateTagRequest__Output {
  'name': (string);
}
