import { fail } from '../errors.js';
import { show } from '../show.js';
import { type Document, isNumeric, toNumber, typeName } from '../values.js';
import { isNullish, named, type OperatorReader, type OperatorTable } from './args.js';
import { instantOf } from './date.js';
import { toUtc, UTC, utcOf, type Zone, zoneOf } from './zone.js';

const DAY = 86_400_000;
const FIXED: Record<string, number> = { millisecond: 1, second: 1000, minute: 60_000, hour: 3_600_000 };
const MONTHS: Record<string, number> = { month: 1, quarter: 3, year: 12 };
const DAYS: Record<string, number> = { day: 1, week: 7 };
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

function unitOf(value: unknown, name: string): string {
  if (typeof value !== 'string')
    return fail(5439013, `${name} requires 'unit' to be a string, but got ${typeName(value)}`);
  return value in FIXED || value in MONTHS || value in DAYS
    ? value
    : fail('FailedToParse', `${name} parameter 'unit' value cannot be recognized as a time unit: ${value}`);
}

function zone(value: unknown): Zone {
  return value === undefined ? UTC : zoneOf(value);
}

function whole(value: unknown, name: string, parameter: string): number {
  const number = isNumeric(value) ? toNumber(value) : NaN;
  return Number.isInteger(number) ? number : fail(5166405, `${name} expects integer ${parameter} of time units`);
}

const adding = (sign: 1 | -1): OperatorReader =>
  named(['startDate', 'unit', 'amount'], ['timezone'], ({ startDate, unit, amount, timezone }, name) => {
    if (isNullish(startDate) || isNullish(unit) || isNullish(amount) || timezone === null) return null;
    return new Date(
      added(instantOf(startDate), unitOf(unit, name), sign * whole(amount, name, 'amount'), zone(timezone)),
    );
  });

function added(instant: number, unit: string, amount: number, shift: Zone): number {
  if (unit in FIXED) return instant + amount * FIXED[unit]!;
  const local = new Date(instant + shift(instant));
  const time = ((local.getTime() % DAY) + DAY) % DAY;
  if (unit in DAYS) return toUtc(local.getTime() + amount * DAYS[unit]! * DAY, shift);
  const month = local.getUTCMonth() + amount * MONTHS[unit]!;
  // The day is held back to the last one of a shorter month.
  const last = new Date(utcOf(local.getUTCFullYear(), month + 2, 0)).getUTCDate();
  return toUtc(utcOf(local.getUTCFullYear(), month + 1, Math.min(local.getUTCDate(), last)) + time, shift);
}

function weekday(value: unknown, name: string): number {
  if (value === undefined) return 0;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  const index = WEEKDAYS.findIndex((day) => day === text || day.slice(0, 3) === text);
  return index >= 0
    ? index
    : fail(5439015, `${name} parameter 'startOfWeek' value cannot be recognized as a day of a week: ${show(value)}`);
}

/** Days since 1970-01-01, of a local time. */
const dayNumber = (local: number): number => Math.floor(local / DAY);
/** Weeks since the first `start` day (0: Sunday) of the epoch; 1970-01-01 was a Thursday. */
const weekNumber = (local: number, start: number): number => Math.floor((dayNumber(local) + 4 - start) / 7);
const monthNumber = (local: number): number => new Date(local).getUTCFullYear() * 12 + new Date(local).getUTCMonth();

function difference({ startDate, endDate, unit, timezone, startOfWeek }: Document, name: string): unknown {
  if ([startDate, endDate, unit].some(isNullish) || timezone === null) return null;
  const by = unitOf(unit, name);
  const shift = zone(timezone);
  const [from, to] = [instantOf(startDate), instantOf(endDate)];
  const [a, b] = [from + shift(from), to + shift(to)];
  if (by === 'millisecond') return BigInt(to - from);
  if (by in FIXED) return BigInt(Math.floor(b / FIXED[by]!) - Math.floor(a / FIXED[by]!));
  if (by === 'day') return BigInt(dayNumber(b) - dayNumber(a));
  if (by === 'week')
    return BigInt(weekNumber(b, weekday(startOfWeek, name)) - weekNumber(a, weekday(startOfWeek, name)));
  return BigInt(Math.floor(monthNumber(b) / MONTHS[by]!) - Math.floor(monthNumber(a) / MONTHS[by]!));
}

function truncate({ date, unit, binSize = 1, timezone, startOfWeek }: Document, name: string): unknown {
  if (isNullish(date) || isNullish(unit) || binSize === null || timezone === null) return null;
  const by = unitOf(unit, name);
  const size = whole(binSize, name, 'binSize');
  if (size <= 0) fail(5439018, `${name} requires 'binSize' to be greater than 0, but got value ${size}`);
  const shift = zone(timezone);
  const instant = instantOf(date);
  return new Date(toUtc(truncated(instant + shift(instant), by, size, weekday(startOfWeek, name)), shift));
}

/** Bins are counted from 2000-01-01, weeks from the first start of a week after it. */
function truncated(local: number, unit: string, size: number, startOfWeek: number): number {
  const origin = utcOf(2000);
  if (unit in MONTHS) {
    const months = monthNumber(local) - 2000 * 12;
    const step = MONTHS[unit]! * size;
    return utcOf(2000, Math.floor(months / step) * step + 1);
  }
  // 2000-01-01 was a Saturday.
  const start = unit === 'week' ? origin + ((startOfWeek + 1) % 7) * DAY : origin;
  const step = size * (FIXED[unit] ?? DAYS[unit]! * DAY);
  return start + Math.floor((local - start) / step) * step;
}

export const DATE_ARITHMETIC: OperatorTable = {
  $dateAdd: adding(1),
  $dateSubtract: adding(-1),
  $dateDiff: named(['startDate', 'endDate', 'unit'], ['timezone', 'startOfWeek'], difference),
  $dateTrunc: named(['date', 'unit'], ['binSize', 'timezone', 'startOfWeek'], truncate),
};
