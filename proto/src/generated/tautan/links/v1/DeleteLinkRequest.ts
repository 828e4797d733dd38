// Original file: links.proto


export interface DeleteLinkRequest {
  'id'?: (string);
  'domain'?: (string);
  '_domain'?: "domain";
}

export interface DeleteLinkRequest__Output {
  'id': (string);
  'domain'?: (string);
  '_domain'?: "domain";
}
