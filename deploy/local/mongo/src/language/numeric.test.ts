import { describe, expect, test } from '@jest/globals';
import { Decimal128, Double } from 'bson';
import fc from 'fast-check';
import { fromDecimal128, toDecimal128 } from './decimal.js';
import { add, divide, multiply, remainder, subtract } from './numeric.js';
import type { Numeric } from './values.js';

const decimal = (text: string): Decimal128 => Decimal128.fromString(text);
const shown = (value: Numeric | undefined): string =>
  value === undefined
    ? 'overflow'
    : typeof value === 'bigint'
      ? `${value}n`
      : value instanceof Double
        ? `${value.value}.0`
        : String(value);

describe('arithmetic gives the wider type', () => {
  test.each<[(a: Numeric, b: Numeric) => Numeric | undefined, Numeric, Numeric, string]>([
    [add, 1, 2, '3'],
    [add, 2147483647, 1, '2147483648n'],
    [add, 1, 2n, '3n'],
    [add, 2n ** 63n - 1n, 1, 'overflow'],
    [add, 1, 1.5, '2.5'],
    [add, 1.5, 1.5, '3.0'],
    [add, 0.5, decimal('0.1'), '0.600000000000000'],
    [add, decimal('9.99E+6144'), decimal('9.99E+6144'), 'Infinity'],
    [subtract, 1, 3n, '-2n'],
    [subtract, decimal('1.5'), 1, '0.5'],
    [subtract, -(2n ** 63n), 1, 'overflow'],
    [multiply, 65536, 65536, '4294967296n'],
    [multiply, -1, 0, '0'],
    [multiply, 3, new Double(2), '6.0'],
    [multiply, 2n ** 62n, 2, 'overflow'],
    [multiply, decimal('1.10'), decimal('2.0'), '2.200'],
    [divide, 6, 3, '2.0'],
    [divide, 1, 2n, '0.5'],
    [divide, decimal('1'), 3, '0.3333333333333333333333333333333333'],
    [divide, decimal('2'), 3, '0.6666666666666666666666666666666667'],
    [divide, decimal('6'), 3, '2'],
    [remainder, 7, 3, '1'],
    [remainder, -7, 3n, '-1n'],
    [remainder, 7.5, 2, '1.5'],
    [remainder, decimal('7.5'), 2, '1.5'],
  ])('%p of %p and %p is %s', (operation, a, b, expected) => {
    expect(shown(operation(a, b))).toBe(expected);
  });
});

test('a decimal survives being taken apart and put together', () => {
  const texts = [
    '0',
    '-0',
    '1.10',
    '9999999999999999999999999999999999',
    '1E-6176',
    '-1.5E+6111',
    'NaN',
    'Infinity',
    '-Infinity',
    '0E-100',
    '1E+6144',
  ];
  for (const text of texts)
    expect(toDecimal128(fromDecimal128(decimal(text))).toString()).toBe(decimal(text).toString());
});

test('decimals round to 34 digits, ties to even', () => {
  const nines = '9'.repeat(34);
  expect(toDecimal128({ negative: false, coefficient: BigInt(`${nines}5`), exponent: 0 }).toString()).toBe(
    '1.000000000000000000000000000000000E+35',
  );
  expect(toDecimal128({ negative: true, coefficient: BigInt(`1${'0'.repeat(33)}5`), exponent: -1 }).toString()).toBe(
    `-1${'0'.repeat(33)}`,
  );
});

test('sums of integers are exact', () => {
  const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(integer, integer, (a, b) => {
      const fits = a + b < 2n ** 63n && a + b >= -(2n ** 63n);
      expect(add(a, b)).toBe(fits ? a + b : undefined);
    }),
  );
});
