import { isDate } from '../../i18n/local-time.js';

export const presets = ['today', '7d', '30d', '90d', '12m'] as const;
export type Preset = (typeof presets)[number];
export const granularities = ['hour', 'day', 'month'] as const;
export type Granularity = (typeof granularities)[number];

/** The range of statistics in a page's URL. Two dates replace the preset. */
export interface StatisticsSearch {
  range?: Preset;
  from?: string;
  to?: string;
  tz?: string;
  by?: Granularity;
}

/** The changed parameters. Undefined removes a parameter. */
export type SearchChange = { [Key in keyof StatisticsSearch]?: StatisticsSearch[Key] | undefined };

/**
 * A range of days in a time zone. It ends with the day `to`, or at the time `to` if that is an ISO 8601 time. Without
 * `to`, it ends now.
 */
export interface Range {
  from: string;
  to?: string;
  tz: string;
  granularity: Granularity;
}

const DEFAULT_PRESET: Preset = '30d';
const DAY_MS = 86_400_000;
const days: Record<Exclude<Preset, '12m'>, number> = { today: 1, '7d': 7, '30d': 30, '90d': 90 };
const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((each) => each === value);

/** Returns whether the browser knows a time zone. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) !== undefined;
  } catch {
    return false;
  }
}

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the valid range parameters of a URL. */
export function statisticsSearch({ range, from, to, tz, by }: Record<string, unknown>): StatisticsSearch {
  const preset = oneOf(presets, range);
  const granularity = oneOf(granularities, by);
  return {
    ...(preset && { range: preset }),
    ...(isDate(from) && isDate(to) && from <= to && { from, to }),
    ...(isTimeZone(tz) && { tz }),
    ...(granularity && { by: granularity }),
  };
}

/** Returns the chosen preset; undefined if two dates are chosen. */
export const presetOf = ({ range, from }: StatisticsSearch): Preset | undefined =>
  from === undefined ? (range ?? DEFAULT_PRESET) : undefined;

/** Returns the date of an instant in a time zone, as YYYY-MM-DD. */
export const dateIn = (tz: string, instant: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: tz, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant);

const addDays = (date: string, count: number): string =>
  new Date(Date.parse(date) + count * DAY_MS).toISOString().slice(0, 10);

const addYears = (instant: Date, count: number): Date => {
  const moved = new Date(instant);
  moved.setUTCFullYear(moved.getUTCFullYear() + count);
  return moved;
};

/** Returns the first day of the twelve calendar months that end with the month of a date. */
function startOfTwelveMonths(today: string): string {
  const [year, month] = today.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}

const lengthInDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

/** Returns the range that the parameters of a URL specify. */
export function rangeOf(search: StatisticsSearch, now: Date): Range {
  const tz = search.tz ?? browserTimeZone();
  const today = dateIn(tz, now);
  const preset = presetOf(search) ?? DEFAULT_PRESET;
  const first = preset === '12m' ? startOfTwelveMonths(today) : addDays(today, 1 - days[preset]);
  const from = search.from ?? first;
  const length = lengthInDays(from, search.to ?? today);
  const granularity = search.by ?? (length <= 2 ? 'hour' : length <= 180 ? 'day' : 'month');
  return { from, ...(search.to && { to: search.to }), tz, granularity };
}

/**
 * Returns the previous period, with which a range is compared: the same number of days, immediately before the range.
 * If the range ends now, the previous period ends at the same time of day. If the granularity is `month` and the range
 * has at most 366 days, the previous period is instead the range moved back by a year.
 */
export function rangeBefore({ from, to, tz, granularity }: Range, now: Date): Range {
  const length = lengthInDays(from, to ?? dateIn(tz, now));
  if (granularity === 'month' && length <= 366) {
    const yearBefore = (date: string): string => addYears(new Date(date), -1).toISOString().slice(0, 10);
    return { from: yearBefore(from), to: to ? yearBefore(to) : addYears(now, -1).toISOString(), tz, granularity };
  }
  const end = to ? addDays(from, -1) : new Date(now.getTime() - length * DAY_MS).toISOString();
  return { from: addDays(from, -length), to: end, tz, granularity };
}

/**
 * Returns whether the plan keeps the statistics of the whole range. The statistics of a UTC day are deleted
 * `retentionDays` days after the end of that day; null means never. Returns true even if some of the statistics were
 * deleted under a former plan.
 */
export function isKept({ from, tz }: Range, retentionDays: number | null, now: Date): boolean {
  if (retentionDays === null) return true;
  // East of UTC, a day begins on the previous UTC day.
  const isEast = dateIn(tz, new Date(Date.parse(from) - 1)) === from;
  return (isEast ? addDays(from, -1) : from) >= addDays(dateIn('UTC', now), -retentionDays);
}
