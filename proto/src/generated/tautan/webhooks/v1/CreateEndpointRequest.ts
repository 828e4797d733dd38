// Original file: webhooks.proto


export interface CreateEndpointRequest {
  'url'?: (string);
  'events'?: (string)[];
}

export interface CreateEndpointRequest__Output {
  'url': (string);
  'events': (string)[];
}
