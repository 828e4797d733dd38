import type { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, ObjectId, Timestamp } from 'bson';
import { compareDecimals, type Decimal, fromBigInt, fromDecimal128, fromDouble, toDecimal128 } from './decimal.js';
import { type Document, isDecimal, T, toNumber, typeOf } from './values.js';

export { encodeKey } from './key.js';

/** Types that compare with each other share a rank; ranks order values of different types. */
const RANKS = new Map<number, number>([
  [T.minKey, 1],
  [T.missing, 3],
  [T.undefined, 3],
  [T.null, 5],
  [T.double, 10],
  [T.int, 10],
  [T.long, 10],
  [T.decimal, 10],
  [T.string, 15],
  [T.symbol, 15],
  [T.object, 20],
  [T.array, 25],
  [T.binData, 30],
  [T.objectId, 35],
  [T.bool, 40],
  [T.date, 45],
  [T.timestamp, 47],
  [T.regex, 50],
  [T.dbPointer, 55],
  [T.javascript, 60],
  [T.javascriptWithScope, 65],
  [T.maxKey, 127],
]);

/** The place of a value's type in the comparison order; equal for types that compare by value (all numbers). */
export function rankOf(value: unknown): number {
  return RANKS.get(typeOf(value))!;
}

/**
 * Orders two values as the server orders BSON: by type, then by value. Negative, zero or positive.
 * `undefined` stands for a missing field and is below null.
 */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return compareDoubles(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  const rank = rankOf(a);
  const other = rankOf(b);
  return rank === other ? compareWithin(rank, a, b) : rank - other;
}

export function equalValues(a: unknown, b: unknown): boolean {
  return a === b || compareValues(a, b) === 0;
}

function compareDoubles(a: number, b: number): number {
  if (a === b) return 0;
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

function compareWithin(rank: number, a: unknown, b: unknown): number {
  switch (rank) {
    case 10:
      return compareNumbers(a, b);
    case 15:
      return compareStrings(textOf(a), textOf(b));
    case 20:
      return compareDocuments(a as Document, b as Document);
    case 25:
      return compareArrays(a as unknown[], b as unknown[]);
    case 30:
      return compareBinaries(a as Binary, b as Binary);
    case 35:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case 40:
      return Number(a) - Number(b);
    case 45:
      return Math.sign((a as Date).getTime() - (b as Date).getTime());
    case 47:
      return (a as Timestamp).compare(b as Timestamp);
    case 50:
      return (
        compareStrings((a as BSONRegExp).pattern, (b as BSONRegExp).pattern) ||
        compareStrings((a as BSONRegExp).options, (b as BSONRegExp).options)
      );
    case 60:
      return compareStrings((a as Code).code, (b as Code).code);
    case 65:
      return (
        compareStrings((a as Code).code, (b as Code).code) ||
        compareDocuments((a as Code).scope as Document, (b as Code).scope as Document)
      );
    default:
      return 0;
  }
}

function compareNumbers(a: unknown, b: unknown): number {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (isDecimal(a) || isDecimal(b)) return compareDecimals(comparable(a), comparable(b));
  const x = typeof a === 'bigint' ? a : toNumber(a);
  const y = typeof b === 'bigint' ? b : toNumber(b);
  // JavaScript compares a bigint with a double exactly.
  if (x < y) return -1;
  if (x > y) return 1;
  return Number(Number.isNaN(Number(y))) - Number(Number.isNaN(Number(x)));
}

/** A number as the decimal that it is compared by: a double is rounded to 34 digits. */
export function comparable(value: unknown): Decimal {
  if (isDecimal(value)) return fromDecimal128(value);
  if (typeof value === 'bigint') return fromBigInt(value);
  return fromDecimal128(toDecimal128(fromDouble(toNumber(value))));
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (value as BSONSymbol).value);

/** Orders by UTF-8 bytes, that is by code point; UTF-16 units alone would put astral characters too low. */
export function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? surrogatesLast(x) - surrogatesLast(y) : x - y;
  }
  return a.length - b.length;
}

const surrogatesLast = (unit: number): number => (unit < 0xe000 ? unit + 0x2000 : unit - 0x800);

function compareBinaries(a: Binary, b: Binary): number {
  if (a.position !== b.position) return a.position - b.position;
  if (a.sub_type !== b.sub_type) return a.sub_type - b.sub_type;
  return Buffer.compare(a.buffer.subarray(0, a.position), b.buffer.subarray(0, b.position));
}

function compareArrays(a: readonly unknown[], b: readonly unknown[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Field by field: type, then name, then value; the document that ends first is smaller. */
function compareDocuments(a: Document, b: Document): number {
  const keysOfB = Object.keys(b);
  let i = 0;
  for (const key in a) {
    const other = keysOfB[i];
    if (other === undefined) return 1;
    const order = rankOf(a[key]) - rankOf(b[other]) || compareStrings(key, other) || compareValues(a[key], b[other]);
    if (order !== 0) return order;
    i += 1;
  }
  return i < keysOfB.length ? -1 : 0;
}

/** Whether two values are the same bytes: also of the same numeric type, and documents in the same field order. */
export function identicalValues(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object') return false;
  const type = typeOf(a);
  if (type !== typeOf(b)) return false;
  if (type === T.array) return sameElements(a as unknown[], b as unknown[]);
  if (type === T.object) return sameFields(a as Document, b as Document);
  if (type === T.decimal) return Buffer.compare((a as Decimal128).bytes, (b as Decimal128).bytes) === 0;
  return compareValues(a, b) === 0;
}

function sameElements(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, i) => identicalValues(value, b[i]));
}

function sameFields(a: Document, b: Document): boolean {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return keys.length === others.length && keys.every((key, i) => key === others[i] && identicalValues(a[key], b[key]));
}
