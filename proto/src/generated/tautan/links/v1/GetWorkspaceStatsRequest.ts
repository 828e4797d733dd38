// Original file: links.proto


export interface GetWorkspaceStatsRequest {
  'from'?: (string);
  'to'?: (string);
  'granularity'?: (string);
  'tz'?: (string);
  'packedSeries'?: (boolean);
  '_from'?: "from";
  '_to'?: "to";
  '_granularity'?: "granularity";
  '_tz'?: "tz";
}

export interface GetWorkspaceStatsRequest__Output {
  'from'?: (string);
  'to'?: (string);
  'granularity'?: (string);
  'tz'?: (string);
  'packedSeries': (boolean);
  '_from'?: "from";
  '_to'?: "to";
  '_granularity'?: "granularity";
  '_tz'?: "tz";
}
