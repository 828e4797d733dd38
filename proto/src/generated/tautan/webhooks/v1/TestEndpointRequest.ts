// Original file: webhooks.proto


export interface TestEndpointRequest {
  'id'?: (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface TestEndpointRequest__Output {
  'id': (string);
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
