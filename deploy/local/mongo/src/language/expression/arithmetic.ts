import { Decimal128 } from 'bson';
import { fail, refuse } from '../errors.js';
import { fromDecimal128, roundDecimal, toDecimal128 } from '../decimal.js';
import { add, decimal128, divide, integer, isInteger, multiply, remainder, subtract } from '../numeric.js';
import { double, isDecimal, isDocument, isNumeric, type Numeric, T, toNumber, typeName, typeOf } from '../values.js';
import { isNullish, type OperatorReader, type OperatorTable, takes, unary, variadic } from './args.js';

/** A sum that needs more than 64 bits goes on as a double, as the server's does. */
export const addOrWiden = (a: Numeric, b: Numeric): Numeric => add(a, b) ?? double(toNumber(a) + toNumber(b));

function numeric(value: unknown, message: () => string): Numeric {
  return isNumeric(value) ? value : fail('TypeMismatch', message());
}

function sum(values: unknown[]): unknown {
  if (values.some(isNullish)) return null;
  let date = false;
  let total: Numeric = 0;
  for (const value of values) {
    if (value instanceof Date) {
      if (date) fail(16612, 'only one date allowed in an $add expression');
      date = true;
      total = addOrWiden(total, BigInt(value.getTime()));
    } else
      total = addOrWiden(
        total,
        numeric(value, () => `$add only supports numeric or date types, not ${typeName(value)}`),
      );
  }
  return date ? dateOf(total) : total;
}

function dateOf(ms: Numeric): Date {
  const date = new Date(Math.round(toNumber(ms)));
  return Number.isNaN(date.getTime()) ? fail('Overflow', 'date overflow') : date;
}

function difference([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (a instanceof Date && b instanceof Date) return BigInt(a.getTime() - b.getTime());
  if (a instanceof Date && isNumeric(b)) return dateOf(double(a.getTime() - Math.round(toNumber(b))));
  if (!isNumeric(a) || !isNumeric(b)) return fail('TypeMismatch', `can't $subtract ${typeName(b)} from ${typeName(a)}`);
  return subtract(a, b) ?? double(toNumber(a) - toNumber(b));
}

function product(values: unknown[]): unknown {
  if (values.some(isNullish)) return null;
  return values.reduce<Numeric>((total, value) => {
    const factor = numeric(value, () => `$multiply only supports numeric types, not ${typeName(value)}`);
    return multiply(total, factor) ?? double(toNumber(total) * toNumber(factor));
  }, 1);
}

function quotient([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumeric(a) || !isNumeric(b))
    return fail('TypeMismatch', `$divide only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  if (isZero(b)) fail('BadValue', "can't $divide by zero");
  return divide(a, b);
}

const isZero = (value: Numeric): boolean => toNumber(value) === 0;

function modulus([a, b]: unknown[]): unknown {
  if (isNullish(a) || isNullish(b)) return null;
  if (!isNumeric(a) || !isNumeric(b))
    return fail(16611, `$mod only supports numeric types, not ${typeName(a)} and ${typeName(b)}`);
  if (isZero(b)) fail(16610, "can't $mod by zero");
  return remainder(a, b);
}

/** An operator over one number: null for nothing, an error for what is no number. */
function onNumber(evaluate: (value: Numeric, name: string) => unknown): OperatorReader {
  return unary((value, name) => {
    if (isNullish(value)) return null;
    return isNumeric(value)
      ? evaluate(value, name)
      : fail(28765, `${name} only supports numeric types, not ${typeName(value)}`);
  });
}

/** A function over doubles. Decimals, whose 34 digits it cannot give, are refused. */
const onDouble = (compute: (value: number, name: string) => number): OperatorReader =>
  onNumber((value, name) =>
    isDecimal(value) ? refuse(`${name} of a decimal`) : double(compute(toNumber(value), name)),
  );

function absolute(value: Numeric): unknown {
  if (isDecimal(value)) return toDecimal128({ ...fromDecimal128(value), negative: false });
  if (typeof value === 'bigint') {
    if (value === -(2n ** 63n)) fail(28680, "can't take $abs of long long min");
    return value < 0n ? -value : value;
  }
  if (isInteger(value)) return integer(BigInt(Math.abs(toNumber(value))), false);
  return double(Math.abs(toNumber(value)));
}

function logarithm(name: string, value: number): number {
  if (value <= 0) fail(28766, `${name}'s argument must be a positive number, but is ${value}`);
  return value;
}

function logarithmOfBase([value, base]: unknown[]): unknown {
  if (isNullish(value) || isNullish(base)) return null;
  if (!isNumeric(value)) return fail(28756, `$log's argument must be numeric, not ${typeName(value)}`);
  if (!isNumeric(base)) return fail(28757, `$log's base must be numeric, not ${typeName(base)}`);
  if (isDecimal(value) || isDecimal(base)) refuse('$log of a decimal');
  if (toNumber(value) <= 0) fail(28758, `$log's argument must be a positive number, but is ${toNumber(value)}`);
  if (toNumber(base) <= 0 || toNumber(base) === 1)
    fail(28759, `$log's base must be a positive number not equal to 1, but is ${toNumber(base)}`);
  return double(Math.log(toNumber(value)) / Math.log(toNumber(base)));
}

function power([base, exponent]: unknown[]): unknown {
  if (isNullish(base) || isNullish(exponent)) return null;
  if (!isNumeric(base)) return fail(28762, `$pow's base must be numeric, not ${typeName(base)}`);
  if (!isNumeric(exponent)) return fail(28763, `$pow's exponent must be numeric, not ${typeName(exponent)}`);
  if (isDecimal(base) || isDecimal(exponent)) refuse('$pow of a decimal');
  if (isZero(base) && toNumber(exponent) < 0) fail(28764, '$pow cannot take a base of 0 and a negative exponent');
  if (!isInteger(base) || !isInteger(exponent) || toNumber(exponent) < 0)
    return double(toNumber(base) ** toNumber(exponent));
  const exact =
    Math.abs(toNumber(base)) <= 1 || toNumber(exponent) <= 64
      ? BigInt(base as number | bigint) ** BigInt(exponent as number | bigint)
      : undefined;
  const long = typeof base === 'bigint' || typeof exponent === 'bigint';
  return (exact === undefined ? undefined : integer(exact, long)) ?? double(toNumber(base) ** toNumber(exponent));
}

function rounding(way: 'even' | 'truncate'): OperatorReader {
  return takes(1, 2, ([value, places = 0], name) => {
    if (isNullish(value) || isNullish(places)) return null;
    if (!isNumeric(value)) return fail(51081, `${name} only supports numeric types, not ${typeName(value)}`);
    const digits =
      isNumeric(places) && Number.isInteger(toNumber(places))
        ? toNumber(places)
        : fail(51082, `precision argument to  ${name} must be a integral value`);
    if (digits < -20 || digits > 100)
      fail(51083, `cannot apply ${name} with precision value ${digits} value must be in [-20, 100]`);
    return roundTo(value, digits, way);
  });
}

function roundTo(value: Numeric, places: number, way: 'even' | 'truncate' | 'floor' | 'ceil'): unknown {
  if (isInteger(value) && places >= 0) return value;
  if (!isDecimal(value) && !isInteger(value) && !Number.isFinite(toNumber(value))) return value;
  const exact =
    isDecimal(value) || isInteger(value) ? decimal128(value) : Decimal128.fromString(String(toNumber(value)));
  const rounded = toDecimal128(roundDecimal(fromDecimal128(exact), places, way));
  if (isDecimal(value)) return rounded;
  if (typeOf(value) === T.double) return double(toNumber(rounded));
  return (
    integer(BigInt(toNumber(rounded)), typeof value === 'bigint') ??
    fail(51080, 'invalid conversion from Decimal128 result in $round resulting from arguments')
  );
}

const radians = Math.PI / 180;

function bounded(compute: (value: number) => number, low: number, high: number): OperatorReader {
  return onDouble((value, name) => {
    if (value < low || value > high) fail(50989, `cannot apply ${name} to ${value}, value must be in [${low},${high}]`);
    return compute(value);
  });
}

function bitwise(initial: number, combine: (a: bigint, b: bigint) => bigint): OperatorReader {
  return variadic((values, name) => {
    if (values.some(isNullish)) return null;
    let result = BigInt(initial);
    let long = false;
    for (const value of values) {
      if (!isInteger(value)) fail('TypeMismatch', `${name} only supports int and long operands.`);
      long ||= typeof value === 'bigint';
      result = combine(result, BigInt(value as number | bigint));
    }
    return integer(result, long);
  });
}

export const ARITHMETIC: OperatorTable = {
  $add: variadic(sum),
  $subtract: takes(2, 2, difference),
  $multiply: variadic(product),
  $divide: takes(2, 2, quotient),
  $mod: takes(2, 2, modulus),
  $abs: onNumber(absolute),
  $ceil: onNumber((value) => roundTo(value, 0, 'ceil')),
  $floor: onNumber((value) => roundTo(value, 0, 'floor')),
  $round: rounding('even'),
  $trunc: rounding('truncate'),
  $exp: onDouble(Math.exp),
  $ln: onDouble((value, name) => Math.log(logarithm(name, value))),
  $log10: onDouble((value, name) => Math.log10(logarithm(name, value))),
  $log: takes(2, 2, logarithmOfBase),
  $pow: takes(2, 2, power),
  $sqrt: onDouble((value) =>
    value < 0 ? fail(28714, "$sqrt's argument must be greater than or equal to 0") : Math.sqrt(value),
  ),
  $sin: bounded(Math.sin, -Number.MAX_VALUE, Number.MAX_VALUE),
  $cos: bounded(Math.cos, -Number.MAX_VALUE, Number.MAX_VALUE),
  $tan: bounded(Math.tan, -Number.MAX_VALUE, Number.MAX_VALUE),
  $asin: bounded(Math.asin, -1, 1),
  $acos: bounded(Math.acos, -1, 1),
  $atan: onDouble(Math.atan),
  $atan2: takes(2, 2, ([y, x]) => (isNullish(y) || isNullish(x) ? null : double(Math.atan2(toNumber(y), toNumber(x))))),
  $sinh: onDouble(Math.sinh),
  $cosh: onDouble(Math.cosh),
  $tanh: onDouble(Math.tanh),
  $asinh: onDouble(Math.asinh),
  $acosh: bounded(Math.acosh, 1, Infinity),
  $atanh: bounded(Math.atanh, -1, 1),
  $degreesToRadians: onDouble((value) => value * radians),
  $radiansToDegrees: onDouble((value) => value / radians),
  $rand: (operand, _reader, name) => {
    const empty = isDocument(operand) && Object.keys(operand).length === 0;
    return empty ? () => Math.random() : fail(3040501, `${name} does not currently accept arguments`);
  },
  $bitAnd: bitwise(-1, (a, b) => a & b),
  $bitOr: bitwise(0, (a, b) => a | b),
  $bitXor: bitwise(0, (a, b) => a ^ b),
  $bitNot: unary((value, name) => {
    if (isNullish(value)) return null;
    if (!isInteger(value)) return fail('TypeMismatch', `${name} only supports int and long, not: ${typeName(value)}.`);
    return typeof value === 'bigint' ? ~value : ~(value as number);
  }),
};
