export const intervals = ['day', 'week', 'month', 'year'] as const;
export type Interval = (typeof intervals)[number];

/**
 * Adds intervals to a time (Unix seconds, UTC). The result for months and years is on the anchor's day of the month, or
 * on the last day of a shorter month: 31 January, 28 February, 31 March.
 */
export function addPeriods(from: number, interval: Interval, count: number, anchor = from): number {
  const date = new Date(from * 1000);
  if (interval === 'day' || interval === 'week') {
    date.setUTCDate(date.getUTCDate() + count * (interval === 'week' ? 7 : 1));
    return date.getTime() / 1000;
  }
  const day = new Date(anchor * 1000).getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * (interval === 'year' ? 12 : 1));
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime() / 1000;
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns the date (UTC) of a time in Unix seconds, such as `21 Nov 2026`. */
export const dayText = (seconds: number): string => day.format(seconds * 1000);

/** Returns the dates (UTC) on which a period starts and ends, such as `21 Nov – 21 Dec 2026`. */
export const daysText = ({ start, end }: { start: number; end: number }): string =>
  day.formatRange(start * 1000, end * 1000);
