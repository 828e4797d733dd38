/** A click for statistics. Only the time of a bot's click is stored. */
export interface StatsClick {
  /** Quarter hour of the UTC day, 0 to 95. */
  quarter: number;
  human: boolean;
  /** Number of identical clicks. */
  clicks: number;
  source: 'link' | 'qr';
  /** ISO country, or `unknown`. */
  country: string;
  /** Empty if unknown. */
  city: string;
  device: string;
  browser: string;
  os: string;
  /** Host, or `direct`. */
  referrer: string;
  /** Link id in statistics of a workspace; empty in those of a link. */
  link: string;
  /** See `visitorHash`. */
  visitorHash: number;
}
