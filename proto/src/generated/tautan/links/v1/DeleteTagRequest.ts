// Original file: links.proto


export interface DeleteTagRequest {
  'id'?: (string);
}

export interface DeleteTagRequest__Output {
  'id': (string);
}
