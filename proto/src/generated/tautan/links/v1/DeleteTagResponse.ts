// Original file: links.proto


export interface DeleteTagResponse {
  'id'?: (string);
}

export interface DeleteTagResponse__Output {
  'id': (string);
}
