// Original file: links.proto


export interface DeleteLinkResponse {
  'id'?: (string);
}

export interface DeleteLinkResponse__Output {
  'id': (string);
}
