/** Order of day and month in dates such as 3/4/2030. */
export type DateOrder = 'dmy' | 'mdy';

const durations: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };
const isoTime = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))? ?(Z|UTC|[+-]\d\d:?\d\d)?$/i;
const localDate = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:,? +(\d{1,2}):([0-5]\d)(?::([0-5]\d))?(?: ?([AP])M)?)?$/i;

/** Returns the order of day and month in the dates of a column, or undefined if all of them are ambiguous. */
export function dateOrderOf(cells: readonly string[]): DateOrder | undefined {
  for (const cell of cells) {
    const [, first, separator, second] = localDate.exec(cell.trim()) ?? [];
    if (separator === '.' || Number(first) > 12) return 'dmy';
    if (Number(second) > 12) return 'mdy';
  }
  return undefined;
}

/** Returns whether a date such as 3/4/2030 changes if day and month are exchanged. Returns false for any other text. */
export function needsDateOrder(text: string): boolean {
  const [, first, , second] = localDate.exec(text.trim()) ?? [];
  return first !== second;
}

/**
 * Parses a time in the formats that other services and spreadsheets export: ISO 8601, a date such as 3/4/2030 (also
 * with dots or hyphens), a spreadsheet date (the number of days since 1899-12-30), Unix seconds or milliseconds, or a
 * duration from now such as 7d. A time without an offset is in the local time zone. Returns ISO 8601 in UTC, or
 * undefined for anything else.
 */
export function readTime(text: string, order: DateOrder = 'dmy', now = Date.now()): string | undefined {
  const trimmed = text.trim();
  const duration = /^(\d{1,6})([mhdw])$/.exec(trimmed);
  if (duration) return toIso(now + Number(duration[1]) * durations[duration[2]!]!);
  if (/^\d{10}$/.test(trimmed)) return toIso(Number(trimmed) * 1_000);
  if (/^\d{13}$/.test(trimmed)) return toIso(Number(trimmed));
  if (/^\d{5}(\.\d+)?$/.test(trimmed)) return fromSerialNumber(Number(trimmed));
  const [, date, time = '00:00', zone = ''] = isoTime.exec(trimmed) ?? [];
  if (date)
    return existsOnCalendar(date)
      ? toIso(Date.parse(`${date}T${time}${zone.toUpperCase().replace('UTC', 'Z')}`))
      : undefined;
  return fromLocalDate(trimmed, order);
}

function fromLocalDate(text: string, order: DateOrder): string | undefined {
  const found = localDate.exec(text);
  if (!found) return undefined;
  const [first, second, year] = [Number(found[1]), Number(found[3]), Number(found[4])] as const;
  const [day, month] = order === 'dmy' ? [first, second] : [second, first];
  const half = found[8]?.toUpperCase();
  const hour = half ? (Number(found[5]) % 12) + (half === 'P' ? 12 : 0) : Number(found[5] ?? 0);
  const at = new Date(year, month - 1, day, hour, Number(found[6] ?? 0), Number(found[7] ?? 0));
  // `new Date` turns February 30 into March 1 or 2.
  return at.getMonth() === month - 1 && at.getDate() === day ? at.toISOString() : undefined;
}

/** Converts days since 1899-12-30, the epoch of spreadsheets, in the local time zone. Returns ISO 8601. */
function fromSerialNumber(days: number): string | undefined {
  const seconds = Math.round((days % 1) * 86_400);
  return toIso(new Date(1899, 11, 30 + Math.floor(days), 0, 0, seconds).getTime());
}

/** Returns whether a day (YYYY-MM-DD) exists. `Date.parse` accepts February 31. */
const existsOnCalendar = (date: string): boolean => toIso(Date.parse(`${date}T00:00Z`))?.startsWith(date) ?? false;

const toIso = (ms: number): string | undefined =>
  Number.isNaN(new Date(ms).getTime()) ? undefined : new Date(ms).toISOString();
