// Original file: webhooks.proto


export interface DeleteEndpointRequest {
  'id'?: (string);
}

export interface DeleteEndpointRequest__Output {
  'id': (string);
}
