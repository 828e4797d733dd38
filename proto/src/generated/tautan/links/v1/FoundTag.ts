// Original file: qr-routes.proto


export interface FoundTag {
  'nameOrId'?: (string);
  'id'?: (string);
}

export interface FoundTag__Output {
  'nameOrId': (string);
  'id': (string);
}
