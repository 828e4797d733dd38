import type { Decimal128 } from 'bson';
import {
  addDecimals,
  type Decimal,
  divideDecimals,
  fromBigInt,
  fromDecimal128,
  fromDoubleShort,
  multiplyDecimals,
  negateDecimal,
  remainderOfDecimals,
  toDecimal128,
} from './decimal.js';
import { double, isDecimal, type Numeric, T, toNumber, typeOf } from './values.js';

/** Arithmetic over numbers of all types: the result has the wider type of the two, as in the server. */

const INT64_MAX = 2n ** 63n - 1n;

export const isInteger = (value: unknown): boolean => typeof value === 'bigint' || typeOf(value) === T.int;
export const isInfiniteOrNaN = (value: unknown): boolean =>
  !Number.isFinite(toNumber(value)) && typeof value !== 'bigint';

/** A number as a decimal; a double by its 15 significant digits, as the server converts it. */
export function decimalOf(value: Numeric): Decimal {
  if (isDecimal(value)) return fromDecimal128(value);
  if (isInteger(value)) return fromBigInt(BigInt(value as number | bigint));
  return fromDoubleShort(toNumber(value));
}

/** An exact integer in the narrower of int32 (unless `long`) and int64; undefined if it needs more than 64 bits. */
export function integer(value: bigint, long: boolean): number | bigint | undefined {
  if (value > INT64_MAX || value < -INT64_MAX - 1n) return undefined;
  const number = Number(value);
  return long || (number | 0) !== number ? value : number;
}

type Operations = {
  integers: (a: bigint, b: bigint) => bigint;
  doubles: (a: number, b: number) => number;
  decimals: (a: Decimal, b: Decimal) => Decimal;
};

/** Integers that outgrow 32 bits become long; those that outgrow 64 bits are left to the caller. */
function combine(a: Numeric, b: Numeric, operations: Operations): Numeric | undefined {
  if (isDecimal(a) || isDecimal(b)) return toDecimal128(operations.decimals(decimalOf(a), decimalOf(b)));
  if (!isInteger(a) || !isInteger(b)) return double(operations.doubles(toNumber(a), toNumber(b)));
  if (typeof a === 'number' && typeof b === 'number') {
    const result = operations.doubles(a, b);
    if ((result | 0) === result) return result | 0;
  }
  const long = typeof a === 'bigint' || typeof b === 'bigint';
  return integer(operations.integers(BigInt(a as number | bigint), BigInt(b as number | bigint)), long);
}

const ADDITION: Operations = { integers: (a, b) => a + b, doubles: (a, b) => a + b, decimals: addDecimals };
const SUBTRACTION: Operations = {
  integers: (a, b) => a - b,
  doubles: (a, b) => a - b,
  decimals: (a, b) => addDecimals(a, negateDecimal(b)),
};
const MULTIPLICATION: Operations = { integers: (a, b) => a * b, doubles: (a, b) => a * b, decimals: multiplyDecimals };

/** undefined: the sum of two integers does not fit in 64 bits. */
export const add = (a: Numeric, b: Numeric): Numeric | undefined => combine(a, b, ADDITION);
export const subtract = (a: Numeric, b: Numeric): Numeric | undefined => combine(a, b, SUBTRACTION);
export const multiply = (a: Numeric, b: Numeric): Numeric | undefined => combine(a, b, MULTIPLICATION);

/** Always a double or a decimal; the caller has refused a zero divisor. */
export function divide(a: Numeric, b: Numeric): Numeric {
  if (isDecimal(a) || isDecimal(b)) return toDecimal128(divideDecimals(decimalOf(a), decimalOf(b)));
  return double(toNumber(a) / toNumber(b));
}

/** The remainder with the sign of the dividend; the caller has refused a zero divisor. */
export function remainder(a: Numeric, b: Numeric): Numeric {
  if (isDecimal(a) || isDecimal(b)) return toDecimal128(remainderOfDecimals(decimalOf(a), decimalOf(b)));
  if (!isInteger(a) || !isInteger(b)) return double(toNumber(a) % toNumber(b));
  const long = typeof a === 'bigint' || typeof b === 'bigint';
  return integer(BigInt(a as number | bigint) % BigInt(b as number | bigint), long)!;
}

export const decimal128 = (value: Numeric): Decimal128 => (isDecimal(value) ? value : toDecimal128(decimalOf(value)));
