const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Returns a time as the value of an `<input type="datetime-local">`. */
export function toLocalInput(iso: string): string {
  const time = new Date(iso);
  const date = [time.getFullYear(), twoDigits(time.getMonth() + 1), twoDigits(time.getDate())].join('-');
  return `${date}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** Returns the value of an `<input type="datetime-local">` as ISO 8601. */
export const fromLocalInput = (value: string): string => new Date(value).toISOString();

/** Returns whether a value is an existing day (YYYY-MM-DD). Rejects February 31, which `Date` parses as March 3. */
export function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const day = new Date(`${value}T00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value);
}

/** Returns the start of a day (YYYY-MM-DD) in the browser's time zone as ISO 8601. */
export const startOfDay = (day: string): string => new Date(`${day}T00:00:00`).toISOString();

/** Returns the last millisecond of a day (YYYY-MM-DD) in the browser's time zone as ISO 8601. */
export const endOfDay = (day: string): string => new Date(`${day}T23:59:59.999`).toISOString();
