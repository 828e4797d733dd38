import { encode } from './encode.js';
import { encodeValue } from './key.js';
import { isNumeric, type Numeric, toNumber } from './values.js';

/**
 * Compares two values in the order of MongoDB and of index keys: by type, then by value. A missing field (undefined)
 * sorts before null.
 */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b);
  const [x, y] = [encodeValue(a), encodeValue(b)];
  return x < y ? -1 : Number(x > y);
}

export const equalValues = (a: unknown, b: unknown): boolean => a === b || compareValues(a, b) === 0;

/** NaN sorts before every number. JavaScript compares a bigint with a double exactly. */
function compareNumbers(a: Numeric, b: Numeric): number {
  const [x, y] = [typeof a === 'bigint' ? a : toNumber(a), typeof b === 'bigint' ? b : toNumber(b)];
  if (x < y) return -1;
  return x > y ? 1 : Number(Number.isNaN(y)) - Number(Number.isNaN(x));
}

/** Surrogates, and the code units that sort after surrogates although they encode lower code points. */
const SURROGATES_AND_ABOVE = /[\ud800-\uffff]/;

/** Compares by code point, which is also the order of the UTF-8 bytes. */
function compareStrings(a: string, b: string): number {
  if (a === b) return 0;
  if (SURROGATES_AND_ABOVE.test(a) && SURROGATES_AND_ABOVE.test(b))
    return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : 1;
}

/** Returns whether two values have identical BSON, including the numeric types and the order of fields. */
export function identicalValues(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return encode({ a }).equals(encode({ a: b }));
}
