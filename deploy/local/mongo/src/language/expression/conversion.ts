import { Binary, Decimal128, ObjectId, Timestamp } from 'bson';
import { fail, MongoError, refuse } from '../errors.js';
import type { Expression } from '../expression.js';
import { decimal128 } from '../numeric.js';
import { isTrue } from '../truth.js';
import { double, isDecimal, isNumeric, type Numeric, T, toNumber, typeName, typeNumber, typeOf } from '../values.js';
import { isNullish, namedOperands, type OperatorReader, type OperatorTable, unary } from './args.js';
import { parseDate } from './date-parse.js';
import { numberText } from './text.js';

const failed = (message: string): never => fail('ConversionFailure', `${message} in $convert with no onError value`);
const unsupported = (value: unknown, target: string): never =>
  failed(`Unsupported conversion from ${typeName(value)} to ${target}`);

function toDouble(value: unknown): unknown {
  if (isNumeric(value)) return inRange(value);
  if (typeof value === 'boolean') return double(Number(value));
  if (value instanceof Date) return double(value.getTime());
  return typeof value === 'string' ? double(parseNumber(value)) : unsupported(value, 'double');
}

function inRange(value: Numeric): unknown {
  const number = toNumber(value);
  if (isDecimal(value) && !Number.isFinite(number) && !/NaN|Infinity/.test(value.toString()))
    failed('Conversion would overflow target type');
  return double(number);
}

function parseNumber(text: string): number {
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number(text);
  const word = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (!word) return failed(`Failed to parse number '${text}'`);
  return word[2]!.toLowerCase() === 'nan' ? NaN : word[1] === '-' ? -Infinity : Infinity;
}

/** An integer of the given bounds from anything that converts to one. */
function toInteger(value: unknown, target: 'int' | 'long', limit: bigint): bigint {
  if (typeof value === 'bigint') return bounded(value, limit);
  if (isDecimal(value)) return bounded(truncatedDecimal(value), limit);
  if (isNumeric(value)) return bounded(truncated(toNumber(value)), limit);
  if (typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'string')
    return /^[+-]?\d+$/.test(value)
      ? bounded(BigInt(value.replace('+', '')), limit)
      : failed(`Failed to parse number '${value}'`);
  if (value instanceof Date && target === 'long') return BigInt(value.getTime());
  return unsupported(value, target);
}

function truncated(value: number): bigint {
  return Number.isFinite(value)
    ? BigInt(Math.trunc(value))
    : failed(`Attempt to convert ${Number.isNaN(value) ? 'NaN' : 'infinity'} value to integer type`);
}

function truncatedDecimal(value: Decimal128): bigint {
  const text = value.toString();
  if (/NaN|Infinity/.test(text)) failed(`Attempt to convert ${text} value to integer type`);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:E([+-]?\d+))?$/.exec(text) ?? [];
  const digits = whole + fraction;
  const length = whole.length + Number(exponent);
  if (length > 40) failed('Conversion would overflow target type');
  return BigInt(sign + (length <= 0 ? '0' : digits.padEnd(length, '0').slice(0, length)));
}

function bounded(value: bigint, limit: bigint): bigint {
  return value >= limit || value < -limit ? failed('Conversion would overflow target type') : value;
}

function toDecimal(value: unknown): unknown {
  if (isNumeric(value)) return decimal128(value);
  if (typeof value === 'boolean') return Decimal128.fromString(String(Number(value)));
  if (value instanceof Date) return Decimal128.fromString(String(value.getTime()));
  if (typeof value !== 'string') return unsupported(value, 'decimal');
  try {
    return Decimal128.fromStringWithRounding(value);
  } catch {
    return failed(`Failed to parse number '${value}'`);
  }
}

function toText(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (isNumeric(value)) return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Binary) return refuse('the conversion of binary data to a string');
  return unsupported(value, 'string');
}

function toObjectId(value: unknown): unknown {
  if (value instanceof ObjectId) return value;
  if (typeof value !== 'string') return unsupported(value, 'objectId');
  return /^[0-9a-f]{24}$/i.test(value) ? new ObjectId(value) : failed(`Failed to parse objectId '${value}'`);
}

function toDate(value: unknown): unknown {
  if (value instanceof Date) return value;
  if (value instanceof ObjectId) return value.getTimestamp();
  if (value instanceof Timestamp) return new Date(value.getHighBitsUnsigned() * 1000);
  if (typeof value === 'string') return parseDate(value);
  if (!isNumeric(value) || typeOf(value) === T.int) return unsupported(value, 'date');
  const date = new Date(Math.trunc(toNumber(value)));
  return Number.isNaN(date.getTime()) ? failed('Conversion would overflow target type') : date;
}

function toBool(value: unknown): unknown {
  return isTrue(value);
}

type Conversion = (value: unknown) => unknown;

const CONVERSIONS_TO = new Map<number, Conversion>([
  [T.double, toDouble],
  [T.string, toText],
  [T.objectId, toObjectId],
  [T.bool, toBool],
  [T.date, toDate],
  [T.int, (value) => Number(toInteger(value, 'int', 2n ** 31n))],
  [T.long, (value) => toInteger(value, 'long', 2n ** 63n)],
  [T.decimal, toDecimal],
]);

const to = (type: number): ReturnType<typeof unary> =>
  unary((value) => (isNullish(value) ? null : CONVERSIONS_TO.get(type)!(value)));

function conversionTo(target: unknown): Conversion {
  const type = typeof target === 'string' ? typeNumber(target) : isNumeric(target) ? toNumber(target) : undefined;
  const known = type === undefined ? undefined : CONVERSIONS_TO.get(type);
  if (known) return known;
  if (type === T.binData || type === T.timestamp) return refuse(`$convert to ${String(target)}`);
  return fail('BadValue', `Unknown type name: ${String(target)}`);
}

const convert: OperatorReader = (operand, { parse }, name) => {
  const fields = namedOperands(operand, name, ['input', 'to'], ['onError', 'onNull', 'format', 'byteOrder', 'base']);
  for (const option of ['format', 'byteOrder', 'base'])
    if (option in fields) refuse(`the option ${option} of $convert`);
  const optional = (key: string): Expression | undefined => (key in fields ? parse(fields[key]) : undefined);
  const [input, target] = [parse(fields.input), parse(fields.to)];
  const [onError, onNull] = [optional('onError'), optional('onNull')];
  return (root, variables) => {
    const value = input(root, variables);
    if (isNullish(value)) return onNull ? onNull(root, variables) : null;
    const type = target(root, variables);
    if (isNullish(type)) return null;
    const conversion = conversionTo(type);
    try {
      return conversion(value);
    } catch (error) {
      if (onError && error instanceof MongoError && error.codeName === 'ConversionFailure')
        return onError(root, variables);
      throw error;
    }
  };
};

export const CONVERSIONS: OperatorTable = {
  $convert: convert,
  $toBool: to(T.bool),
  $toDate: to(T.date),
  $toDecimal: to(T.decimal),
  $toDouble: to(T.double),
  $toInt: to(T.int),
  $toLong: to(T.long),
  $toObjectId: to(T.objectId),
  $toString: to(T.string),
  $type: unary((value) => typeName(value)),
  $isNumber: unary((value) => isNumeric(value)),
};
