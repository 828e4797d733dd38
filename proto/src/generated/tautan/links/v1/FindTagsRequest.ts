// Original file: qr-routes.proto


export interface FindTagsRequest {
  'namesOrIds'?: (string)[];
}

export interface FindTagsRequest__Output {
  'namesOrIds': (string)[];
}
