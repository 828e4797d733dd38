import { describe, expect, test } from '@jest/globals';
import { isRetryableError, pauseAfter, policyAfter, retryPolicy } from './retry.js';

describe('the pause before the next attempt', () => {
  const policy = retryPolicy();
  const between = (attempt: number, retryAfter: string | null = null) =>
    [0, 1].map((random) => pauseAfter(policy, attempt, retryAfter, () => random));

  test('doubles, with jitter', () => {
    expect([1, 2, 3].map((attempt) => between(attempt))).toEqual([
      [187.5, 312.5],
      [375, 625],
      [750, 1_250],
    ]);
  });

  test('is the value of Retry-After, or slightly more', () => {
    expect(between(1, '2')).toEqual([2_000, 2_062.5]);
    expect(between(3, '0')).toEqual([0, 62.5]);
  });

  test('is at most 20 s plus jitter, and undefined if Retry-After asks for more', () => {
    const patient = retryPolicy({ maxAttempts: 50 });
    expect(pauseAfter(patient, 40, null, () => 0.5)).toBe(20_000);
    expect(pauseAfter(patient, 1, '20', () => 0)).toBe(20_000);
    expect(pauseAfter(patient, 1, '21')).toBeUndefined();
  });

  test('is longer while an earlier attempt is running, so that the last attempt is more than 5 s after the first', () => {
    const patient = policyAfter('IDEMPOTENCY_IN_PROGRESS', policy);
    const pauses = [2, 3].map((attempt) => pauseAfter(patient, attempt, null, () => 0)!);
    expect(pauses).toEqual([2_250, 4_500]);
    expect(policyAfter('SERVICE_UNAVAILABLE', policy)).toEqual(policy);
  });

  test('is undefined after the last attempt', () => expect(between(4, '1')).toEqual([undefined, undefined]));
});

describe('a failed connection', () => {
  const withCode = (code: string) => Object.assign(new Error(code), { code });
  const failed = (cause?: unknown) => new TypeError('fetch failed', { cause });

  test.each([
    ['without a cause', failed()],
    ['with ECONNRESET', failed(withCode('ECONNRESET'))],
    ['with UND_ERR_SOCKET', failed(withCode('UND_ERR_SOCKET'))],
  ])('%s is retried', (_, error) => expect(isRetryableError(error)).toBe(true));

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_SSL_WRONG_VERSION_NUMBER'])(
    'with %s is not retried',
    (code) => {
      expect(isRetryableError(failed(withCode(code)))).toBe(false);
      expect(isRetryableError(failed(new AggregateError([withCode(code)])))).toBe(false);
    },
  );
});
