// Original file: operator.proto


export interface DeadLetter {
  'id'?: (string);
  'subject'?: (string);
  'reason'?: (string);
  'at'?: (string);
  'size'?: (number);
  'payload'?: (Buffer | Uint8Array | string);
  '_payload'?: "payload";
}

export interface DeadLetter__Output {
  'id': (string);
  'subject': (string);
  'reason': (string);
  'at': (string);
  'size': (number);
  'payload'?: (Buffer);
  '_payload'?: "payload";
}
