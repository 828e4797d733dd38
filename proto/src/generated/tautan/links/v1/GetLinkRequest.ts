// Original file: links.proto


export interface GetLinkRequest {
  'idOrSlug'?: (string);
  'domain'?: (string);
  '_domain'?: "domain";
}

export interface GetLinkRequest__Output {
  'idOrSlug': (string);
  'domain'?: (string);
  '_domain'?: "domain";
}
