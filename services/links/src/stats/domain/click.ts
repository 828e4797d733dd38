/** One or more identical clicks. For clicks of bots, only their time and number are stored. */
export interface StatsClick {
  /** Quarter hour of the UTC day, 0 to 95. */
  quarter: number;
  human: boolean;
  /** Number of clicks. */
  clicks: number;
  source: 'link' | 'qr';
  /** ISO 3166-1 alpha-2 country code, or `unknown`. */
  country: string;
  /** Empty if unknown, and in statistics of a workspace. */
  city: string;
  device: string;
  browser: string;
  os: string;
  /** Host, or `direct`. */
  referrer: string;
  /**
   * Link id in statistics of a workspace, empty for a scan of a QR code without a link; always empty in other
   * statistics.
   */
  link: string;
  /** Result of the function `visitorHash` for the id of the visitor. */
  visitorHash: number;
}
