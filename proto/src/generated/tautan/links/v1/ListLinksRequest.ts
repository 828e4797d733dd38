// Original file: links.proto


export interface ListLinksRequest {
  'q'?: (string);
  'tags'?: (string)[];
  'status'?: (string);
  'sort'?: (string);
  'order'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
  '_q'?: "q";
  '_status'?: "status";
  '_sort'?: "sort";
  '_order'?: "order";
  '_cursor'?: "cursor";
}

export interface ListLinksRequest__Output {
  'q'?: (string);
  'tags': (string)[];
  'status'?: (string);
  'sort'?: (string);
  'order'?: (string);
  'limit': (number);
  'cursor'?: (string);
  '_q'?: "q";
  '_status'?: "status";
  '_sort'?: "sort";
  '_order'?: "order";
  '_cursor'?: "cursor";
}
