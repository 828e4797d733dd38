// Original file: links.proto


export interface GetWorkspaceStatsRequest {
  'from'?: (string);
  'to'?: (string);
  '_from'?: "from";
  '_to'?: "to";
}

export interface GetWorkspaceStatsRequest__Output {
  'from'?: (string);
  'to'?: (string);
  '_from'?: "from";
  '_to'?: "to";
}
