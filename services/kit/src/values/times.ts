import { fail } from '../errors.js';

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** Parses an ISO 8601 date-time with any UTC offset. Throws VALIDATION_ERROR naming the field and the expected form. */
export function parseTime(field: string, text: string, form = 'an ISO 8601 date-time with a UTC offset'): Date {
  const [, year, month, day] = dateTime.exec(text) ?? [];
  const time = new Date(text.replace(',', '.').toUpperCase());
  // `Date` parses February 30 as March 2.
  const calendar = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (!year || !hasFourDigits(time) || calendar.getUTCDate() !== Number(day)) {
    throw fail('VALIDATION_ERROR', `${field} must be ${form}.`, field);
  }
  return time;
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Parses a bound of a range: a date-time with a UTC offset, or a date, of which it returns the start or the end in UTC.
 * Throws VALIDATION_ERROR naming the field.
 */
export function parseTimeBound(field: string, text: string, bound: 'start' | 'end'): Date {
  const timeOfDay = bound === 'start' ? 'T00:00:00Z' : 'T23:59:59.999Z';
  const time = dateForm.test(text) ? text + timeOfDay : text;
  return parseTime(field, time, 'an ISO 8601 date, or a date-time with a UTC offset');
}

/**
 * Returns whether the year of a time has four digits in UTC. ISO 8601 writes other years with a sign. False for an
 * invalid time.
 */
const hasFourDigits = (time: Date): boolean => time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9_999;

/** Parses a date-time after `now`. Throws VALIDATION_ERROR naming the field. */
export function parseFutureTime(field: string, text: string, now: Date): Date {
  const time = parseTime(field, text);
  if (time <= now) throw fail('VALIDATION_ERROR', `${field} must be in the future.`, field);
  return time;
}
