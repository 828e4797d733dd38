// Original file: links.proto


export interface CreateTagRequest {
  'name'?: (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface CreateTagRequest__Output {
  'name': (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
