// Original file: domains.proto


export interface DnsRecord {
  'type'?: (string);
  'name'?: (string);
  'value'?: (string);
  'purpose'?: (string);
  'found'?: (string)[];
  'ok'?: (boolean);
}

export interface DnsRecord__Output {
  'type': (string);
  'name': (string);
  'value': (string);
  'purpose': (string);
  'found': (string)[];
  'ok': (boolean);
}
