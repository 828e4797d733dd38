// Original file: links.proto


export interface DeleteLinkRequest {
  'id'?: (string);
}

export interface DeleteLinkRequest__Output {
  'id': (string);
}
