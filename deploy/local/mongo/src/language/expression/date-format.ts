import { fail } from '../errors.js';
import type { Zone } from './zone.js';
import { utcOf } from './zone.js';

const DAY = 86_400_000;

export const dayOfYear = (local: Date): number =>
  Math.floor((local.getTime() - utcOf(local.getUTCFullYear())) / DAY) + 1;

/** Weeks begin on Sunday; days before the first Sunday are in week 0. */
export const weekOfYear = (local: Date): number => Math.floor((dayOfYear(local) + 6 - local.getUTCDay()) / 7);

/** The Thursday of the date's week, which decides the ISO 8601 week and its year. */
function thursdayOf(local: Date): Date {
  return new Date(
    utcOf(local.getUTCFullYear(), local.getUTCMonth() + 1, local.getUTCDate() + 4 - (local.getUTCDay() || 7)),
  );
}

export const isoWeekYear = (local: Date): number => thursdayOf(local).getUTCFullYear();
export const isoWeek = (local: Date): number => Math.ceil(dayOfYear(thursdayOf(local)) / 7);

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

function offsetText(offset: number): string {
  const minutes = Math.abs(Math.round(offset / 60_000));
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}${pad(minutes % 60, 2)}`;
}

const SPECIFIERS: Record<string, (local: Date, offset: number) => string> = {
  Y: (local) => pad(local.getUTCFullYear(), 4),
  m: (local) => pad(local.getUTCMonth() + 1, 2),
  d: (local) => pad(local.getUTCDate(), 2),
  H: (local) => pad(local.getUTCHours(), 2),
  M: (local) => pad(local.getUTCMinutes(), 2),
  S: (local) => pad(local.getUTCSeconds(), 2),
  L: (local) => pad(local.getUTCMilliseconds(), 3),
  j: (local) => pad(dayOfYear(local), 3),
  w: (local) => String(local.getUTCDay() + 1),
  u: (local) => String(local.getUTCDay() || 7),
  U: (local) => pad(weekOfYear(local), 2),
  V: (local) => pad(isoWeek(local), 2),
  G: (local) => pad(isoWeekYear(local), 4),
  b: (local) => MONTHS[local.getUTCMonth()]!.slice(0, 3),
  B: (local) => MONTHS[local.getUTCMonth()]!,
  z: (_local, offset) => offsetText(offset),
  Z: (_local, offset) => String(Math.round(offset / 60_000)),
  '%': () => '%',
};

/** A date as text, in a format of `$dateToString`. */
export function formatDate(instant: number, format: string, zone: Zone): string {
  const offset = zone(instant);
  const local = new Date(instant + offset);
  return format.replace(/%([\s\S]?)/g, (_all, specifier: string) => {
    if (specifier === '') fail(18535, 'Unmatched % at end of format string');
    const write = Object.hasOwn(SPECIFIERS, specifier)
      ? SPECIFIERS[specifier]!
      : fail(18536, `Invalid format character '%${specifier}' in format string`);
    return write(local, offset);
  });
}
