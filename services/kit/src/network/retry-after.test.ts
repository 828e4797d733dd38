import { expect, test } from '@jest/globals';
import { parseRetryAfter, retryAfterSeconds } from './retry-after.js';

const now = new Date('2026-03-01T12:00:00Z');
const HOUR = 3_600_000;

test.each([
  ['10', 10_000],
  [' 10 ', 10_000],
  ['0', 0],
  ['99999999999999999999', HOUR],
  ['9'.repeat(400), HOUR],
  ['Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 12:00:30 GMT', 30_000],
  ['Sun Mar  1 12:00:30 2026', 30_000],
  ['Sun Mar 15 12:00:30 2026', HOUR],
  ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ['Tue, 01 Mar 2039 12:00:00 GMT', HOUR],
  ['Sun, 41 Foo 2026 12:00:30 GMT', undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['10, 20', undefined],
  ['2026-03-01T12:00:30Z', undefined],
  ...['Sun, 01 Mar 2026 12:00:30 GMT', 'Sunday, 01-Mar-26 12:00:30 GMT', 'Sun Mar  1 12:00:30 2026'].flatMap(
    (date): [string, undefined][] => [
      [`x ${date}`, undefined],
      [`${date} (x)`, undefined],
    ],
  ),
  ['Sun Mar x1 12:00:30 2026', undefined],
  ['x 10', undefined],
  ['10 x', undefined],
  [undefined, undefined],
])('Retry-After: %j means %j ms', (header, expected) => {
  expect(parseRetryAfter(header, now, HOUR)).toBe(expected);
});

test.each([
  [0, 1],
  [0.2, 1],
  [1.2, 2],
  [17, 17],
  [1e9, 3_600],
  [Infinity, 3_600],
  [NaN, undefined],
  [-1, undefined],
  ['17', undefined],
  [undefined, undefined],
])('retryAfterSeconds(%p) is %p', (seconds, expected) => {
  expect(retryAfterSeconds(seconds)).toBe(expected);
});
