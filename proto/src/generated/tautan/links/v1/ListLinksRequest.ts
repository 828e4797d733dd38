// Original file: links.proto


export interface ListLinksRequest {
  'q'?: (string);
  'tags'?: (string)[];
  'status'?: (string);
  'sort'?: (string);
  'order'?: (string);
  'limit'?: (number);
  'cursor'?: (string);
  'domain'?: (string);
  'createdBy'?: (string);
  'createdFrom'?: (string);
  'createdTo'?: (string);
  '_q'?: "q";
  '_status'?: "status";
  '_sort'?: "sort";
  '_order'?: "order";
  '_cursor'?: "cursor";
  '_domain'?: "domain";
  '_createdBy'?: "createdBy";
  '_createdFrom'?: "createdFrom";
  '_createdTo'?: "createdTo";
}

export interface ListLinksRequest__Output {
  'q'?: (string);
  'tags': (string)[];
  'status'?: (string);
  'sort'?: (string);
  'order'?: (string);
  'limit': (number);
  'cursor'?: (string);
  'domain'?: (string);
  'createdBy'?: (string);
  'createdFrom'?: (string);
  'createdTo'?: (string);
  '_q'?: "q";
  '_status'?: "status";
  '_sort'?: "sort";
  '_order'?: "order";
  '_cursor'?: "cursor";
  '_domain'?: "domain";
  '_createdBy'?: "createdBy";
  '_createdFrom'?: "createdFrom";
  '_createdTo'?: "createdTo";
}
