import { fail } from '../errors.js';

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/** A moment from ISO 8601 with any offset. Throws VALIDATION_ERROR naming the field. */
export function parseTime(field: string, text: string): Date {
  const [, year, month, day] = dateTime.exec(text) ?? [];
  const time = new Date(text.replace(',', '.').toUpperCase());
  // Date takes February 30 for March 2.
  const calendar = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  if (!year || !hasFourDigits(time) || calendar.getUTCDate() !== Number(day)) {
    throw fail('VALIDATION_ERROR', `${field} must be an ISO 8601 date-time with its offset.`, field);
  }
  return time;
}

const dateForm = /^\d{4}-\d{2}-\d{2}$/;

/** Parses the bound of a range: a date-time with its offset, or the start or end of a date in UTC. Throws VALIDATION_ERROR naming `field`. */
export function parseTimeBound(field: string, text: string, bound: 'start' | 'end'): Date {
  const timeOfDay = bound === 'start' ? 'T00:00:00Z' : 'T23:59:59.999Z';
  return parseTime(field, dateForm.test(text) ? text + timeOfDay : text);
}

/** Whether the year of a valid time has four digits in UTC, as ISO 8601 writes it without a sign. */
const hasFourDigits = (time: Date): boolean => time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9_999;

/** When something is to expire. Throws VALIDATION_ERROR naming `expiresAt` unless it lies in the future. */
export function checkExpiresAt(text: string, now: Date): Date {
  const time = parseTime('expiresAt', text);
  if (time <= now) throw fail('VALIDATION_ERROR', 'expiresAt must be in the future.', 'expiresAt');
  return time;
}
