// Original file: webhooks.proto


export interface CreateEndpointRequest {
  'url'?: (string);
  'events'?: (string)[];
  'operationId'?: (string);
  '_operationId'?: "operationId";
}

export interface CreateEndpointRequest__Output {
  'url': (string);
  'events': (string)[];
  'operationId'?: (string);
  '_operationId'?: "operationId";
}
