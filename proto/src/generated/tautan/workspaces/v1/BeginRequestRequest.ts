// Original file: workspaces.proto


export interface BeginRequestRequest {
  'key'?: (string);
  'fingerprint'?: (Buffer | Uint8Array | string);
  'leaseMs'?: (number);
  '_leaseMs'?: "leaseMs";
}

export interface BeginRequestRequest__Output {
  'key': (string);
  'fingerprint': (Buffer);
  'leaseMs'?: (number);
  '_leaseMs'?: "leaseMs";
}
