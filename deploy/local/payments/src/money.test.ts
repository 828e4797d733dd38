import { expect, test } from '@jest/globals';
import { moneyText } from './money.js';

test.each([
  [14_900_000, 'idr', 'Rp 149.000'],
  [14_900_050, 'idr', 'Rp 149.000,50'],
  [-14_900_000, 'idr', '-Rp 149.000'],
  [900, 'usd', '$9.00'],
  [900, 'jpy', '¥900'],
])('formats %d of %s as %s', (amount, currency, text) => {
  expect(moneyText(amount, currency).replaceAll('\u00a0', ' ')).toBe(text);
});
