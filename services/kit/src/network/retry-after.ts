/** Maximum Retry-After in seconds in our responses, even if an upstream requests more. */
export const MAX_RETRY_AFTER_SECONDS = 3_600;

/** The three forms of an HTTP-date (RFC 9110, 5.6.7): IMF-fixdate, RFC 850, asctime. */
const httpDate =
  /^(?:[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT|[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * Returns the delay from `now` that a Retry-After value requests (RFC 9110, 10.2.3: seconds or an HTTP-date), from 0 to
 * `maxMs` milliseconds; undefined for an invalid value.
 */
export function parseRetryAfter(header: string | undefined, now: Date, maxMs: number): number | undefined {
  const value = header?.trim() ?? '';
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : msOf(value) - now.getTime();
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), maxMs);
}

/** Returns an HTTP-date in Unix milliseconds; NaN for anything else. Only the asctime form does not name GMT. */
const msOf = (date: string): number =>
  httpDate.test(date) ? Date.parse(date.endsWith('GMT') ? date : `${date} GMT`) : NaN;

/** Returns a retry delay in whole seconds, rounded up, from 1 to `MAX_RETRY_AFTER_SECONDS`; undefined if invalid. */
export const retryAfterSeconds = (seconds: unknown): number | undefined =>
  typeof seconds === 'number' && seconds >= 0
    ? Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_AFTER_SECONDS)
    : undefined;
