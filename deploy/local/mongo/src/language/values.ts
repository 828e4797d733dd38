/**
 * How BSON values are held in memory, so that nothing is lost between decoding and encoding:
 *
 *   int32            number (an integer within 32 bits, not -0)
 *   double           number, except one that would read as an int32, which is a `Double`
 *   int64            bigint
 *   decimal          Decimal128        string, bool, null   themselves        date   Date
 *   document         an object made by `newDocument` (no prototype members)    array  Array
 *   missing          undefined         everything else      the class of `bson`
 */
import { Double, type Decimal128 } from 'bson';

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

/** BSON type numbers; `missing` is what the server calls EOO. */
export const T = {
  missing: 0,
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  minKey: -1,
  maxKey: 127,
} as const;

const BSON_CLASSES: Record<string, number> = {
  ObjectId: T.objectId,
  Double: T.double,
  Decimal128: T.decimal,
  Binary: T.binData,
  Timestamp: T.timestamp,
  BSONRegExp: T.regex,
  BSONSymbol: T.symbol,
  MinKey: T.minKey,
  MaxKey: T.maxKey,
  Int32: T.int,
  Long: T.long,
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
  const name = (value as { _bsontype?: string })._bsontype ?? '';
  if (name === 'Code') return (value as { scope?: unknown }).scope ? T.javascriptWithScope : T.javascript;
  return BSON_CLASSES[name] ?? T.missing;
}

const NAMES = new Map<number, string>(Object.entries(T).map(([name, number]) => [number, name]));

/** The alias that `$type` answers with: "double", "objectId", "missing"… */
export function typeName(value: unknown): string {
  return NAMES.get(typeOf(value)) ?? 'missing';
}

/** The type number of an alias or a number that `$type` accepts; undefined for others. `number` is not among them. */
export function typeNumber(alias: string): number | undefined {
  return alias === 'missing' ? undefined : (T as Record<string, number>)[alias];
}

/** A number that stays a double when it is stored. */
export function double(value: number): number | Double {
  return (value | 0) === value && !Object.is(value, -0) ? new Double(value) : value;
}

export type Numeric = number | bigint | Double | Decimal128;

export function isNumeric(value: unknown): value is Numeric {
  if (typeof value === 'number' || typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && (value instanceof Double || isDecimal(value));
}

export function isDecimal(value: unknown): value is Decimal128 {
  return (
    typeof value === 'object' &&
    value !== null &&
    (value as { _bsontype?: string })._bsontype === 'Decimal128' &&
    !isDocument(value)
  );
}

/** The nearest double of a number of any type; NaN for anything else. */
export function toNumber(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Double) return value.value;
  if (isDecimal(value)) {
    const text = value.toString();
    return text === 'NaN' ? NaN : Number(text);
  }
  return NaN;
}
