import type { Binary, ObjectId } from 'bson';
import { type Document, T, toNumber, typeOf } from './values.js';

/** Types that compare with each other share a rank; ranks order values of different types. Keys begin with the rank. */
export const RANK = {
  missing: 3,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  regex: 50,
} as const;

const RANKS = new Map<number, number>([
  [T.missing, RANK.missing],
  [T.null, RANK.null],
  [T.double, RANK.number],
  [T.int, RANK.number],
  [T.long, RANK.number],
  [T.string, RANK.string],
  [T.object, RANK.object],
  [T.array, RANK.array],
  [T.binData, RANK.binData],
  [T.objectId, RANK.objectId],
  [T.bool, RANK.bool],
  [T.date, RANK.date],
  [T.regex, RANK.regex],
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
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  const rank = rankOf(a);
  const other = rankOf(b);
  return rank === other ? compareWithin(rank, a, b) : rank - other;
}

export function equalValues(a: unknown, b: unknown): boolean {
  return a === b || compareValues(a, b) === 0;
}

function compareWithin(rank: number, a: unknown, b: unknown): number {
  switch (rank) {
    case RANK.number:
      return compareNumbers(typeof a === 'bigint' ? a : toNumber(a), typeof b === 'bigint' ? b : toNumber(b));
    case RANK.object:
      return compareDocuments(a as Document, b as Document);
    case RANK.array:
      return compareArrays(a as unknown[], b as unknown[]);
    case RANK.binData:
      return compareBinaries(a as Binary, b as Binary);
    case RANK.objectId:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case RANK.bool:
      return Number(a) - Number(b);
    case RANK.date:
      return Math.sign((a as Date).getTime() - (b as Date).getTime());
    default:
      return 0;
  }
}

/** JavaScript compares a bigint with a double exactly. NaN is below every number. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

/** Orders by UTF-8 bytes, that is by code point; UTF-16 units alone would put astral characters too low. */
function compareStrings(a: string, b: string): number {
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
  return type === T.object ? sameFields(a as Document, b as Document) : compareValues(a, b) === 0;
}

function sameElements(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, i) => identicalValues(value, b[i]));
}

function sameFields(a: Document, b: Document): boolean {
  const keys = Object.keys(a);
  const others = Object.keys(b);
  return keys.length === others.length && keys.every((key, i) => key === others[i] && identicalValues(a[key], b[key]));
}
