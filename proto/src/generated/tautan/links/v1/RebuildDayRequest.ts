// Original file: links.proto


export interface RebuildDayRequest {
  'day'?: (string);
}

export interface RebuildDayRequest__Output {
  'day': (string);
}
