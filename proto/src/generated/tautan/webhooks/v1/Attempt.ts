// Original file: webhooks.proto


export interface Attempt {
  'n'?: (number);
  'at'?: (string);
  'durationMs'?: (number);
  'statusCode'?: (number);
  'error'?: (string);
  'responseSnippet'?: (string);
  '_statusCode'?: "statusCode";
  '_error'?: "error";
  '_responseSnippet'?: "responseSnippet";
}

export interface Attempt__Output {
  'n': (number);
  'at': (string);
  'durationMs': (number);
  'statusCode'?: (number);
  'error'?: (string);
  'responseSnippet'?: (string);
  '_statusCode'?: "statusCode";
  '_error'?: "error";
  '_responseSnippet'?: "responseSnippet";
}
