// Original file: webhooks.proto


export interface DeleteEndpointResponse {
  'id'?: (string);
}

export interface DeleteEndpointResponse__Output {
  'id': (string);
}
