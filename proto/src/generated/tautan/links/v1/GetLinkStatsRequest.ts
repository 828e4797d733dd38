// Original file: links.proto


export interface GetLinkStatsRequest {
  'idOrSlug'?: (string);
  'domain'?: (string);
  'from'?: (string);
  'to'?: (string);
  'granularity'?: (string);
  'tz'?: (string);
  'packedSeries'?: (boolean);
  '_domain'?: "domain";
  '_from'?: "from";
  '_to'?: "to";
  '_granularity'?: "granularity";
  '_tz'?: "tz";
}

export interface GetLinkStatsRequest__Output {
  'idOrSlug': (string);
  'domain'?: (string);
  'from'?: (string);
  'to'?: (string);
  'granularity'?: (string);
  'tz'?: (string);
  'packedSeries': (boolean);
  '_domain'?: "domain";
  '_from'?: "from";
  '_to'?: "to";
  '_granularity'?: "granularity";
  '_tz'?: "tz";
}
