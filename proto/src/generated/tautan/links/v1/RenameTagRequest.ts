// Original file: links.proto


export interface RenameTagRequest {
  'id'?: (string);
  'name'?: (string);
}

export interface RenameTagRequest__Output {
  'id': (string);
  'name': (string);
}
