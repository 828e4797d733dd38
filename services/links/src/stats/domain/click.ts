/** A click as statistics see it. Of a bot's, only when it came is kept. */
export interface StatsClick {
  /** Of its UTC day, 0 to 95. */
  quarter: number;
  human: boolean;
  /** How many clicks that are alike. */
  clicks: number;
  source: 'link' | 'qr';
  /** ISO country, or `unknown`. */
  country: string;
  /** Empty when not known. */
  city: string;
  device: string;
  browser: string;
  os: string;
  /** Host, or `direct`. */
  referrer: string;
  /** The link's id in a workspace's statistics, empty in a link's own. */
  link: string;
  /** See `visitorMark`. */
  mark: number;
}
