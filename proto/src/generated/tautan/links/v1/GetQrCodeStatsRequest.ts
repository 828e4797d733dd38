// Original file: links.proto


export interface GetQrCodeStatsRequest {
  'qrCodeId'?: (string);
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

export interface GetQrCodeStatsRequest__Output {
  'qrCodeId': (string);
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
