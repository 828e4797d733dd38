// Original file: workspaces.proto


export interface VerifyApiKeyRequest {
  'key'?: (string);
}

export interface VerifyApiKeyRequest__Output {
  'key': (string);
}
