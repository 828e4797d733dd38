// Original file: links.proto


export interface TagNames {
  'names'?: (string)[];
}

export interface TagNames__Output {
  'names': (string)[];
}
