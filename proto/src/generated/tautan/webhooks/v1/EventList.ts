// Original file: webhooks.proto


export interface EventList {
  'types'?: (string)[];
}

export interface EventList__Output {
  'types': (string)[];
}
