import { BSONRegExp } from 'bson';
import { compareValues } from '../language/compare.js';
import { valuesOf, type Predicate } from '../language/filter/predicates.js';
import { encodeKey } from '../language/key.js';
import type { CollectionIndex } from '../storage/collection-index.js';
import { successor } from '../storage/keys.js';

/** A half-open range [low, high) of the records of an index. */
export interface Range {
  low: string;
  high: string;
  /** Whether the range is the single record `low`, a complete key of a unique index. `high` is then equal to `low`. */
  isPoint?: boolean;
}

export interface Bounds {
  ranges: Range[];
  /** Number of leading fields that are bound to values, by `$eq` or `$in`. */
  equalities: number;
  /** Number of combinations of these values. */
  points: number;
  /** Whether the next field is bound to a range. */
  ranged: boolean;
  /** The predicates that the bounds imply, so that the filter need not check them. */
  covered: Set<Predicate>;
}

/** Maximum number of combinations of the values of several fields. A field that would exceed it is not bound. */
const MAX_POINTS = 2000;

/**
 * Returns whether an index can be searched for the value. An array is indexed by its elements, and a regular expression
 * stands for the strings that it matches.
 */
const indexable = (value: unknown): boolean =>
  value !== undefined && !Array.isArray(value) && !(value instanceof BSONRegExp);

/** Returns the ranges of an index that contain all documents that satisfy the predicates. */
export function boundsOf(index: CollectionIndex, predicates: readonly Predicate[]): Bounds {
  const bounds: Bounds = { ranges: [], equalities: 0, points: 1, ranged: false, covered: new Set() };
  let prefixes = [index.prefix];
  for (const { path, direction } of index.fields) {
    const onField = predicates.filter((predicate) => predicate.path === path);
    const point = onField.find((predicate) => valuesOf(predicate)?.every(indexable));
    if (!point) {
      const range = rangeOf(onField, direction, index.multikey, bounds.covered);
      if (range) bounds.ranges = prefixes.map((prefix) => ({ low: prefix + range.low, high: prefix + range.high }));
      bounds.ranged = range !== undefined;
      break;
    }
    const keys = [...new Set(valuesOf(point)!.map((value) => encodeKey([value], [direction])))].sort();
    const isProduct = prefixes.length > 1 && keys.length > 1;
    if (isProduct && prefixes.length * keys.length > MAX_POINTS) break;
    prefixes = prefixes.flatMap((prefix) => keys.map((key) => prefix + key));
    bounds.equalities += 1;
    bounds.covered.add(point);
  }
  bounds.points = prefixes.length;
  const isPoint = index.unique && bounds.equalities === index.fields.length;
  if (!bounds.ranged) bounds.ranges = prefixes.map((low) => ({ low, high: isPoint ? low : successor(low), isPoint }));
  return bounds;
}

/**
 * Returns a range that contains all keys of one field that satisfy the predicates; undefined if no predicate bounds the
 * field.
 */
function rangeOf(
  predicates: Predicate[],
  direction: number,
  multikey: boolean,
  covered: Set<Predicate>,
): Range | undefined {
  let combined: Range | undefined;
  for (const predicate of predicates) {
    const range = oneRange(predicate, direction);
    if (!range) continue;
    // Two elements of an array may each satisfy one of two conditions, so only one condition can bound the keys.
    if (multikey && combined) break;
    const { low, high } = combined ?? range;
    combined = { low: range.low > low ? range.low : low, high: range.high < high ? range.high : high };
    if (isExact(predicate)) covered.add(predicate);
  }
  return combined;
}

/**
 * Returns whether all values in the predicate's range are known to satisfy the predicate. A range below a number also
 * contains NaN, which sorts before all numbers in an index but is not less than any of them.
 */
const isExact = ({ op, value }: Predicate): boolean =>
  op !== 'regexPrefix' &&
  (typeof value === 'string' || value instanceof Date || op === 'gt' || op === 'gte') &&
  compareValues(value, NaN) !== 0;

function oneRange({ op, value }: Predicate, direction: number): Range | undefined {
  if (op === 'regexPrefix') {
    const prefix = encodeKey([value], [direction]).slice(0, -1);
    return { low: prefix, high: successor(prefix) };
  }
  if (op === 'exists' || op === 'eq' || op === 'in' || !indexable(value)) return undefined;
  const key = encodeKey([value], [direction]);
  // The first character of a key denotes the type of the value. A range contains only values of one type.
  const first = key[0]!;
  const isBelow = op.startsWith('l') === direction > 0;
  const isInclusive = op.endsWith('e');
  if (isBelow) return { low: first, high: isInclusive ? successor(key) : key };
  return { low: isInclusive ? key : successor(key), high: successor(first) };
}
