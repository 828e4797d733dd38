// Original file: links.proto


export interface BulkLinksRequest {
  'action'?: (string);
  'ids'?: (string)[];
  'tag'?: (string);
  '_tag'?: "tag";
}

export interface BulkLinksRequest__Output {
  'action': (string);
  'ids': (string)[];
  'tag'?: (string);
  '_tag'?: "tag";
}
