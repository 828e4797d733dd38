/**
 * How BSON values are held in memory, so that nothing is lost between decoding and encoding:
 *
 *   int32            number (an integer within 32 bits, not -0)
 *   double           number, except one that would read as an int32, which is a `Double`
 *   int64            bigint
 *   string, bool, null   themselves        date   Date        ObjectId, binary   the class of `bson`
 *   document         an object made by `newDocument` (no prototype members)    array  Array
 *   regex            BSONRegExp, in filters only
 *   missing          undefined
 */
import { Double } from 'bson';
import { fail, refuse } from './errors.js';

export interface Document {
  [key: string]: unknown;
}

const Bare = function () {} as unknown as { new (): Document; prototype: Document };
Bare.prototype = Object.create(null) as Document;

/** An empty document. It inherits nothing, so that fields named `constructor` or `__proto__` are fields like others. */
export function newDocument(): Document {
  return new Bare();
}

/** A document with the fields of a plain object. */
export function documentOf(fields: Document): Document {
  return Object.assign(new Bare(), fields);
}

export function copyDocument(document: Document): Document {
  const copy = new Bare();
  for (const key in document) copy[key] = document[key];
  return copy;
}

/** Whether a value is an embedded document (not an array, a date or another BSON value). */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Bare.prototype || prototype === Object.prototype || prototype === null;
}

/** BSON type numbers by the alias that `$type` takes; `missing` is what the server calls EOO. */
export const T = {
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

const UNSUPPORTED = new Map([
  [6, 'undefined'],
  [12, 'DBPointer'],
  [13, 'JavaScript'],
  [14, 'Symbol'],
  [15, 'JavaScript with scope'],
  [17, 'Timestamp'],
  [19, 'Decimal128'],
  [127, 'MaxKey'],
  [255, 'MinKey'],
]);

/** Throws CommandNotSupported for a BSON type that the engine does not store, InvalidBSON for a number that is no type. */
export function refuseType(type: number): never {
  const name = type === T.regex ? 'regular expression as a stored value' : UNSUPPORTED.get(type);
  if (name !== undefined) refuse(`the BSON type ${name}`);
  fail('InvalidBSON', `invalid BSON: unknown type ${type}`);
}

const BSON_CLASSES: Record<string, number> = {
  ObjectId: T.objectId,
  Double: T.double,
  Binary: T.binData,
  BSONRegExp: T.regex,
};

/** The BSON type number of a value. */
export function typeOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return T.string;
    case 'number':
      return (value | 0) === value && !Object.is(value, -0) ? T.int : T.double;
    case 'bigint':
      return T.long;
    case 'boolean':
      return T.bool;
    case 'undefined':
      return T.missing;
    default:
      return value === null ? T.null : typeOfObject(value as object);
  }
}

function typeOfObject(value: object): number {
  if (Array.isArray(value)) return T.array;
  if (isDocument(value)) return T.object;
  if (value instanceof Date) return T.date;
  return BSON_CLASSES[(value as { _bsontype?: string })._bsontype ?? ''] ?? T.missing;
}

const NAMES = new Map<number, string>(Object.entries(T).map(([name, number]) => [number, name]));

/** The alias of a value's type: "double", "objectId", "missing"… */
export function typeName(value: unknown): string {
  return NAMES.get(typeOf(value)) ?? 'missing';
}

/** A number that stays a double when it is stored. */
export function double(value: number): number | Double {
  return (value | 0) === value && !Object.is(value, -0) ? new Double(value) : value;
}

export type Numeric = number | bigint | Double;

export function isNumeric(value: unknown): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof Double;
}

export const isInteger = (value: unknown): value is number | bigint =>
  typeof value === 'bigint' || typeOf(value) === T.int;

/** The nearest double of a number of any type; NaN for anything else. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Double ? value.value : NaN;
}

/** An exact integer in the narrower of int32 (unless `long`) and int64; undefined if it needs more than 64 bits. */
export function integer(value: bigint, long: boolean): number | bigint | undefined {
  if (BigInt.asIntN(64, value) !== value) return undefined;
  const number = Number(value);
  return long || (number | 0) !== number ? value : number;
}

/** Whether a value counts as true: not missing, null, false or a zero. */
export function isTrue(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'boolean') return value;
  return isNumeric(value) ? toNumber(value) !== 0 : true;
}
