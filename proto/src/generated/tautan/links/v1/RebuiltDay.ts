// Original file: links.proto


export interface RebuiltDay {
  'day'?: (string);
  'written'?: (number);
  'removed'?: (number);
}

export interface RebuiltDay__Output {
  'day': (string);
  'written': (number);
  'removed': (number);
}
