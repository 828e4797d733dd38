import { fail } from '@tautan/kit';
import { bucketStarts, granularities, type Granularity } from './buckets.js';
import { DAY_MS, QUARTER_MS } from './quarters.js';
import { Zone } from './zone.js';

export interface RangeInput {
  from?: string | undefined;
  to?: string | undefined;
  granularity?: string | undefined;
  tz?: string | undefined;
  /** Whether to return the time series as one array per column, instead of one object per point. */
  packedSeries?: boolean | undefined;
}

/** A time range of statistics; all instants in Unix milliseconds. */
export interface StatsRange {
  /** Inclusive bounds. */
  from: number;
  to: number;
  granularity: Granularity;
  tz: string;
  /** The counted range: the quarter hours that the range intersects; the end is exclusive. */
  counted: { from: number; to: number };
  /** Start of each point of the series; the first may be before the range. */
  starts: number[];
}

const DEFAULT_DAYS = 30;
const MAX_YEARS = 3;
const MIN_YEAR = 2000;
/** Maximum lengths of ranges whose default granularity is `hour` or `day`, respectively. */
const MAX_DAYS_BY_HOUR = 2;
const MAX_DAYS_BY_DAY = 180;

const datePattern = /^(\d{4})-(\d\d)-(\d\d)$/;
const dateTimePattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Parses a range. Throws VALIDATION_ERROR naming the field. */
export function readRange(input: RangeInput, now: Date): StatsRange {
  const tz = input.tz ?? 'UTC';
  const zone = Zone.of(tz);
  if (!zone) throw fail('VALIDATION_ERROR', 'tz must be the name of a time zone, such as Asia/Jakarta.', 'tz');
  const end = input.to === undefined ? instant(now.getTime()) : readBound('to', input.to, zone);
  const to = end.end;
  const from = input.from === undefined ? defaultFrom(zone, to) : readBound('from', input.from, zone).start;
  if (from > to) throw fail('VALIDATION_ERROR', 'from must not be after to.', 'from');
  const [first, last] = [zone.localOf(from), zone.localOf(to)];
  // Compares the given values: 2023-06-15 to 2026-06-15 is three years, although both days are included.
  if (zone.localOf(end.start) > yearsAfter(first, MAX_YEARS))
    throw fail('VALIDATION_ERROR', `from must be at most ${MAX_YEARS} years before to.`, 'from');
  const granularity = readGranularity(input.granularity) ?? defaultGranularity(last - first);
  const counted = {
    from: Math.floor(from / QUARTER_MS) * QUARTER_MS,
    to: (Math.floor(to / QUARTER_MS) + 1) * QUARTER_MS,
  };
  return { from, to, granularity, tz, counted, starts: bucketStarts(zone, granularity, from, to + 1) };
}

function defaultFrom(zone: Zone, to: number): number {
  const lastDay = Math.floor(zone.localOf(to) / DAY_MS) * DAY_MS;
  return zone.instantOf(lastDay - (DEFAULT_DAYS - 1) * DAY_MS);
}

/**
 * Parses a date, which covers the whole day in the zone, or a date-time, which is one instant. A date-time without an
 * offset is in the zone.
 */
function readBound(field: string, text: string, zone: Zone): { start: number; end: number } {
  const [, ...date] = datePattern.exec(text) ?? [];
  if (date.length) {
    const local = calendarDay(field, date.map(Number));
    return { start: zone.instantOf(local), end: zone.instantOf(local + DAY_MS) - 1 };
  }
  const [, year, month, day, hours, minutes, seconds = '0', fraction = '0', offset] = dateTimePattern.exec(text) ?? [];
  if (!year || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) throw invalidTime(field);
  const midnight = calendarDay(field, [year, month, day].map(Number));
  const timeOfDay =
    (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * 1_000 +
    Math.floor(Number(`0.${fraction}`) * 1_000);
  const at =
    offset === undefined ? zone.instantOf(midnight + timeOfDay) : midnight + timeOfDay - offsetOf(field, offset);
  return instant(at);
}

const instant = (at: number) => ({ start: at, end: at });

function calendarDay(field: string, [year, month, day]: number[]): number {
  const ms = Date.UTC(year!, month! - 1, day);
  // No link is older than MIN_YEAR, and earlier offsets of some zones are not multiples of 15 minutes.
  if (year! < MIN_YEAR) throw fail('VALIDATION_ERROR', `${field} must not be before ${MIN_YEAR}.`, field);
  if (new Date(ms).getUTCMonth() !== month! - 1) throw invalidTime(field);
  return ms;
}

function offsetOf(field: string, text: string): number {
  if (/^z$/i.test(text)) return 0;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(text)!;
  if (Number(hours) > 23 || Number(minutes) > 59) throw invalidTime(field);
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

const invalidTime = (field: string) =>
  fail('VALIDATION_ERROR', `${field} must be an ISO 8601 date or date-time.`, field);

function yearsAfter(local: number, years: number): number {
  const date = new Date(local);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}

function readGranularity(text: string | undefined): Granularity | undefined {
  const found = granularities.find((each) => each === text);
  if (text !== undefined && !found)
    throw fail('VALIDATION_ERROR', `granularity must be one of ${granularities.join(', ')}.`, 'granularity');
  return found;
}

/** Returns the default granularity for a length in local time: a day with 25 hours counts as one day. */
function defaultGranularity(length: number): Granularity {
  if (length <= MAX_DAYS_BY_HOUR * DAY_MS) return 'hour';
  return length <= MAX_DAYS_BY_DAY * DAY_MS ? 'day' : 'month';
}
