import type { Binary, ObjectId } from 'bson';
import { encode } from './encode.js';
import { type Document, T, toNumber, typeOf } from './values.js';

/** Values of one rank compare with each other; ranks order values of different types. Index keys begin with the rank. */
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

const RANKS = new Map(
  Object.entries(T).map(([name, type]) => [
    type as number,
    RANK[name in RANK ? (name as keyof typeof RANK) : 'number'],
  ]),
);

export const rankOf = (value: unknown): number => RANKS.get(typeOf(value))!;

/** Orders two values as the server does: by type, then by value. A missing field (undefined) is below null. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  const rank = rankOf(a);
  const other = rankOf(b);
  return rank === other ? compareWithin(rank, a, b) : rank - other;
}

export const equalValues = (a: unknown, b: unknown): boolean => a === b || compareValues(a, b) === 0;

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

/** NaN is below every number. JavaScript compares a bigint with a double exactly. */
function compareNumbers(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(b)) - Number(Number.isNaN(a));
}

/** Orders by code point, like UTF-8 bytes; UTF-16 units alone would put astral characters too low. */
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
  const order = a.position - b.position || a.sub_type - b.sub_type;
  return order || Buffer.compare(a.buffer.subarray(0, a.position), b.buffer.subarray(0, b.position));
}

function compareArrays(a: readonly unknown[], b: readonly unknown[]): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const order = compareValues(a[i], b[i]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Compares field by field: type, then name, then value; the document that ends first is smaller. */
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

/** Whether two values have the same BSON: also the same numeric types and the same order of fields. */
export function identicalValues(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return encode({ a }).equals(encode({ a: b }));
}
