// Original file: webhooks.proto


export interface Endpoint {
  'id'?: (string);
  'url'?: (string);
  'events'?: (string)[];
  'active'?: (boolean);
  'disabledReason'?: (string);
  'createdAt'?: (string);
  'updatedAt'?: (string);
  '_disabledReason'?: "disabledReason";
}

export interface Endpoint__Output {
  'id': (string);
  'url': (string);
  'events': (string)[];
  'active': (boolean);
  'disabledReason'?: (string);
  'createdAt': (string);
  'updatedAt': (string);
  '_disabledReason'?: "disabledReason";
}
