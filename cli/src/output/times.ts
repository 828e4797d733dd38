import type { Granularity } from '../api/records.js';

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;
/** Times more than this many days away are shown as a date instead of relative to now. */
const NEAR_DAYS = 30;
/** Rounding tolerance as a fraction of the unit, so that 12h is still "in 12 hours" a moment later. */
const TOLERANCE = 0.02;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const dateFields = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const date = new Intl.DateTimeFormat('en-GB', dateFields);
const dateTime = new Intl.DateTimeFormat('en-GB', {
  ...dateFields,
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** Returns an ISO time relative to now, or as a date: "2 hours ago", "in 3 days", "31 Jan 2030". */
export function formatRelativeTime(iso: string, now = Date.now()): string {
  const distance = Date.parse(iso) - now;
  if (Math.abs(distance) > NEAR_DAYS * 86_400_000) return date.format(Date.parse(iso));
  for (const [unit, ms] of units) {
    if (Math.abs(distance) < ms * (1 - TOLERANCE)) continue;
    const whole = Math.trunc(distance / ms + Math.sign(distance) * TOLERANCE);
    const count = unit === 'day' ? calendarDay(now + distance) - calendarDay(now) : whole;
    if (count !== 0) return relative.format(count, unit);
  }
  return distance > 0 ? 'in a moment' : 'just now';
}

/** Returns the number of the local calendar day of a time. Words such as "tomorrow" refer to calendar days. */
function calendarDay(ms: number): number {
  const day = new Date(ms);
  return Date.UTC(day.getFullYear(), day.getMonth(), day.getDate()) / 86_400_000;
}

/** Returns the date of an ISO time, such as "31 Jan 2030", in the time zone of this machine unless another is given. */
export const dateOf = (iso: string, timeZone?: string): string =>
  new Intl.DateTimeFormat('en-GB', { ...dateFields, timeZone }).format(Date.parse(iso));

const intervals = {
  hour: ['on', { ...dateFields, hour: '2-digit', minute: '2-digit' }],
  day: ['on', dateFields],
  month: ['in', { month: 'short', year: 'numeric' }],
} as const;

/**
 * Returns the interval that begins at an ISO time, in a time zone: "on 31 Jan 2030, 14:00", "on 31 Jan 2030" or "in Jan
 * 2030".
 */
export function intervalAt(iso: string, granularity: Granularity, timeZone: string): string {
  const [preposition, fields] = intervals[granularity];
  return `${preposition} ${new Intl.DateTimeFormat('en-GB', { ...fields, timeZone }).format(Date.parse(iso))}`;
}

/** Returns an ISO time in full, in the local time zone, with its distance from now if that is at most `NEAR_DAYS`. */
export function formatDateTime(iso: string, now = Date.now()): string {
  const relativeTime = formatRelativeTime(iso, now);
  const exact = dateTime.format(Date.parse(iso));
  return relativeTime === date.format(Date.parse(iso)) ? exact : `${exact} (${relativeTime})`;
}

const spans = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/**
 * Parses a duration from now (30m, 12h, 7d, 2w), a date (its start in the local time zone) or an ISO 8601 time (local
 * unless it has an offset). Returns ISO 8601 in UTC, or undefined if the text is none of these.
 */
export function parseTime(text: string, now = Date.now()): string | undefined {
  const span = /^(\d{1,6})([mhdw])$/.exec(text);
  if (span) return iso(now + Number(span[1]) * spans[span[2] as keyof typeof spans]);
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)) return undefined;
  const [date, time = '00:00'] = text.split('T') as [string, string?];
  // `Date.parse` turns February 31 into March 3.
  if (!iso(Date.parse(`${date}T00:00Z`))?.startsWith(date)) return undefined;
  return iso(Date.parse(`${date}T${time}`));
}

const iso = (ms: number) => (Number.isNaN(new Date(ms).getTime()) ? undefined : new Date(ms).toISOString());
