// Original file: webhooks.proto


export interface EventType {
  'type'?: (string);
  'description'?: (string);
  'trigger'?: (string);
  'example'?: (string);
}

export interface EventType__Output {
  'type': (string);
  'description': (string);
  'trigger': (string);
  'example': (string);
}
