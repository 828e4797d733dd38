import { BSONType, Double } from 'bson';
import { fail, unsupported } from './errors.js';

/**
 * A document in memory. Its values preserve their BSON types:
 *
 * - int32: a number that is a 32-bit integer, except -0
 * - double: any other number, or a `Double` if the value is a 32-bit integer
 * - int64: a bigint
 * - ObjectId, Binary, and regular expressions (in filters only): the classes of `bson`
 *
 * A missing field is undefined.
 */
export interface Document {
  [key: string]: unknown;
}

const NullPrototypeDocument = function () {} as unknown as { new (): Document; prototype: Document };
NullPrototypeDocument.prototype = Object.create(null) as Document;

/** Returns an empty document. It inherits nothing, so that `constructor` and `__proto__` are ordinary fields. */
export const newDocument = (): Document => new NullPrototypeDocument();

/** Returns a new document with these fields. */
export const documentOf = (fields: Document): Document => Object.assign(new NullPrototypeDocument(), fields);

/** Returns a copy of a document in which one field has this value, or is removed if the value is undefined. */
export function withField(document: Document, name: string, value: unknown): Document {
  const copy = documentOf(document);
  if (value === undefined) delete copy[name];
  else copy[name] = value;
  return copy;
}

/** Returns whether a value is a document (not an array, a date or another BSON value). */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === NullPrototypeDocument.prototype || prototype === Object.prototype || prototype === null;
}

/** BSON type numbers by alias; `missing` is EOO on the server. */
export const TYPE = {
  missing: 0,
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  int: 16,
  long: 18,
} as const;

/**
 * Throws CommandNotSupported for a BSON type that the engine does not store, or InvalidBSON for an unknown type number.
 */
export function unsupportedType(type: number): never {
  const [name] = Object.entries(BSONType).find(([, number]) => (number & 0xff) === type) ?? [];
  if (name !== undefined) unsupported(`the BSON type ${name}${type === TYPE.regex ? ' as a stored value' : ''}`);
  fail('InvalidBSON', `invalid BSON: unknown type ${type}`);
}

const CLASSES: Record<string, number> = {
  ObjectId: TYPE.objectId,
  Double: TYPE.double,
  Binary: TYPE.binData,
  BSONRegExp: TYPE.regex,
};

/** Returns the BSON type number of a value. */
export function typeOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return TYPE.string;
    case 'number':
      return (value | 0) === value && !Object.is(value, -0) ? TYPE.int : TYPE.double;
    case 'bigint':
      return TYPE.long;
    case 'boolean':
      return TYPE.bool;
    case 'undefined':
      return TYPE.missing;
    default:
      return value === null ? TYPE.null : typeOfObject(value as object);
  }
}

function typeOfObject(value: object): number {
  if (Array.isArray(value)) return TYPE.array;
  if (isDocument(value)) return TYPE.object;
  return value instanceof Date
    ? TYPE.date
    : (CLASSES[(value as { _bsontype?: string })._bsontype ?? ''] ?? TYPE.missing);
}

/** Returns the alias of a value's type, such as "double", "objectId" or "missing". */
export function typeName(value: unknown): string {
  const type = typeOf(value);
  return Object.entries(TYPE).find(([, number]) => number === type)![0];
}

/** Returns a number that stays a double when it is stored. */
export const double = (value: number): number | Double => (typeOf(value) === TYPE.int ? new Double(value) : value);

export type Numeric = number | bigint | Double;

export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double;
}

export const isInteger = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || typeOf(value) === TYPE.int;

/** Returns the nearest double of a number of any type; NaN for anything else. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Double ? value.value : NaN;
}

/**
 * Returns the sum of two integers: an int32 if both are int32 and the sum fits, otherwise an int64. Returns undefined
 * if the sum needs more than 64 bits.
 */
export function addIntegers(a: number | bigint, b: number | bigint): number | bigint | undefined {
  const sum = BigInt(a) + BigInt(b);
  if (BigInt.asIntN(64, sum) !== sum) return undefined;
  const isInt = typeof a === 'number' && typeof b === 'number' && BigInt.asIntN(32, sum) === sum;
  return isInt ? Number(sum) : sum;
}

/** Returns whether a value counts as true: any value except a missing one, null, false and zero. */
export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined || typeof value === 'boolean') return value === true;
  return isNumeric(value) ? toNumber(value) !== 0 : true;
}
