// Original file: webhooks.proto


export interface TestEndpointRequest {
  'id'?: (string);
}

export interface TestEndpointRequest__Output {
  'id': (string);
}
