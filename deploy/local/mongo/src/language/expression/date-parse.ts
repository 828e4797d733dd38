import { fail } from '../errors.js';
import { toUtc, UTC, utcOf, type Zone, zoneOf } from './zone.js';

const ISO =
  /^(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2})(?::?(\d{2})(?::?(\d{2})(?:[.,](\d{1,9}))?)?)?)?\s*(Z|UTC|GMT|[+-]\d{2}:?(?:\d{2})?)?$/i;

const failed = (text: string, why: string): never =>
  fail('ConversionFailure', `Error parsing date string '${text}'; ${why}`);

/** An ISO 8601 date, with or without time and zone. A zone in the text and one given exclude each other. */
export function parseDate(text: string, zone?: Zone): Date {
  const match = ISO.exec(text.trim());
  if (!match) return failed(text, 'not an ISO 8601 date');
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', suffix] = match;
  if (suffix && zone && zone !== UTC)
    failed(text, 'passing a time zone identifier as part of the string is not allowed with the timezone parameter');
  const parts = [year, month, day, hour, minute, second].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return dateFrom(
    text,
    parts,
    Number(fraction.padEnd(3, '0').slice(0, 3)),
    suffix ? zoneOf(suffix.toUpperCase()) : (zone ?? UTC),
  );
}

function dateFrom(
  text: string,
  [year, month, day, hour, minute, second]: [number, number, number, number, number, number],
  ms: number,
  zone: Zone,
): Date {
  const valid = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 24 && minute <= 59 && second <= 60;
  if (!valid) failed(text, 'a part is out of range');
  return new Date(toUtc(utcOf(year, month, day, hour, minute, second, ms), zone));
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

const FIELDS: Record<string, { pattern: string; field: string; read?: (text: string) => number }> = {
  Y: { pattern: '\\d{4}', field: 'year' },
  m: { pattern: '\\d{1,2}', field: 'month' },
  d: { pattern: '\\d{1,2}', field: 'day' },
  H: { pattern: '\\d{1,2}', field: 'hour' },
  M: { pattern: '\\d{1,2}', field: 'minute' },
  S: { pattern: '\\d{1,2}', field: 'second' },
  L: { pattern: '\\d{1,3}', field: 'ms', read: (text) => Number(text.padEnd(3, '0')) },
  j: { pattern: '\\d{1,3}', field: 'dayOfYear' },
  B: { pattern: '[A-Za-z]+', field: 'month', read: (text) => MONTHS.indexOf(text.toLowerCase()) + 1 },
  b: {
    pattern: '[A-Za-z]{3}',
    field: 'month',
    read: (text) => MONTHS.findIndex((month) => month.startsWith(text.toLowerCase())) + 1,
  },
  z: { pattern: '[+-]\\d{2}:?\\d{2}|Z', field: 'zone' },
  Z: { pattern: '[+-]\\d+', field: 'offset' },
};

/** A date in a format of `$dateFromString`. */
export function parseDateAs(text: string, format: string, zone: Zone): Date {
  const fields: string[] = [];
  const pattern = format.replace(/%(.)|[\s\S]/g, (char, specifier: string | undefined) => {
    if (specifier === undefined) return char.replace(/[\^$\\.*+?()[\]{}|]/g, '\\$&');
    if (specifier === '%') return '%';
    const known = FIELDS[specifier] ?? fail(18536, `Invalid format character '%${specifier}' in format string`);
    fields.push(specifier);
    return `(${known.pattern})`;
  });
  const match = new RegExp(`^${pattern}$`).exec(text);
  if (!match) return failed(text, `it does not match the format '${format}'`);
  const values: Record<string, number> = { month: 1, day: 1, hour: 0, minute: 0, second: 0, ms: 0 };
  let own: Zone | undefined;
  fields.forEach((specifier, i) => {
    const { field, read = Number } = FIELDS[specifier]!;
    const part = match[i + 1]!;
    if (field === 'zone') own = zoneOf(part);
    else if (field === 'offset') own = () => Number(part) * 60_000;
    else values[field] = read(part);
  });
  if (values.year === undefined) failed(text, 'an incomplete date/time string has been found, with elements missing');
  if (own && zone !== UTC) failed(text, 'a time zone in the string is not allowed with the timezone parameter');
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, ms = 0, dayOfYear } = values;
  return dateFrom(
    text,
    dayOfYear === undefined
      ? [year, month, day, hour, minute, second]
      : monthAndDay(year, dayOfYear, hour, minute, second),
    ms,
    own ?? zone,
  );
}

function monthAndDay(
  year: number,
  dayOfYear: number,
  hour: number,
  minute: number,
  second: number,
): [number, number, number, number, number, number] {
  const date = new Date(utcOf(year, 1, dayOfYear));
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), hour, minute, second];
}
