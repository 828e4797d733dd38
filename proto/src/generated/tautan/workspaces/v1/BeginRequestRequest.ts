// Original file: workspaces.proto


export interface BeginRequestRequest {
  'key'?: (string);
  'fingerprint'?: (Buffer | Uint8Array | string);
}

export interface BeginRequestRequest__Output {
  'key': (string);
  'fingerprint': (Buffer);
}
