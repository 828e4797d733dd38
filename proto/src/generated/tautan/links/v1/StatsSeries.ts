// Original file: links.proto


export interface StatsSeries {
  'starts'?: (number | string)[];
  'clicks'?: (number | string)[];
  'uniques'?: (number | string)[];
}

export interface StatsSeries__Output {
  'starts': (number)[];
  'clicks': (number)[];
  'uniques': (number)[];
}
