import { expect, test } from '@jest/globals';
import { retryAfterMs } from './retry-after.js';

const NOW = Date.parse('2030-01-31T12:00:00.000Z');

test.each([
  ['0', 0],
  ['7', 7_000],
  [' 120 ', 120_000],
  ['Thu, 31 Jan 2030 12:00:30 GMT', 30_000],
  ['Thu, 31 Jan 2030 11:00:00 GMT', 0],
])('reads %j as %d ms', (value, expected) => expect(retryAfterMs(value, NOW)).toBe(expected));

test.each([null, '', ' ', 'soon', '-1', '1.5', '1e3', '2030-01-31', '31 Jan 2030', 'Thu, 99 Jan 2030 12:00:30 GMT'])(
  'ignores %j',
  (value) => expect(retryAfterMs(value, NOW)).toBeUndefined(),
);
