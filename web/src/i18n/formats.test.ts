import { expect, test } from '@jest/globals';
import { formatsOf } from './formats.js';

test.each([
  ['en', 149_000, 'IDR', 'IDR\u00a0149,000'],
  ['id', 149_000, 'IDR', 'Rp\u00a0149.000'],
  ['en', 12, 'USD', '$12'],
  ['en', 12.5, 'USD', '$12.50'],
] as const)('in %s, %d %s is written %s', (language, amount, currency, text) => {
  expect(formatsOf(language).money(amount, currency)).toBe(text);
});
