import { BSONRegExp } from 'bson';
import { compareValues } from '../language/compare.js';
import type { Predicate } from '../language/filter.js';
import { encodeKey } from '../language/key.js';
import type { CollectionIndex } from '../storage/collection-index.js';
import { successor } from '../storage/keys.js';
import { valuesOf } from './implied.js';

/** A half-open range [low, high) of the records of an index. */
export interface Range {
  low: string;
  high: string;
  /** There is one such record at most: `low`. */
  isPoint?: boolean;
}

export interface Bounds {
  ranges: Range[];
  /** How many leading fields are bound to single values each, and to how few values all in all. */
  equalities: number;
  points: number;
  /** The field after those is bound to a range. */
  ranged: boolean;
  /** Every predicate that the bounds stand for is given exactly, so that it need not be checked again. */
  covered: Set<Predicate>;
}

const maxPoints = 2000;

/** Whether values of this kind stand in an index as themselves. */
const indexable = (value: unknown): boolean =>
  value !== undefined && !Array.isArray(value) && !(value instanceof BSONRegExp);

/** Whether a field that satisfies the predicate has one of a few values. */
const isPoint = (predicate: Predicate): boolean => valuesOf(predicate)?.every(indexable) ?? false;

/** The parts of an index that can hold documents with these predicates. */
export function boundsOf(index: CollectionIndex, predicates: readonly Predicate[]): Bounds {
  const bounds: Bounds = { ranges: [], equalities: 0, points: 1, ranged: false, covered: new Set() };
  let prefixes = [index.prefix];
  for (const { path, direction } of index.fields) {
    const here = predicates.filter((predicate) => predicate.path === path);
    const point = here.find(isPoint);
    if (point) {
      const keys = [...new Set(valuesOf(point)!.map((value) => encodeKey([value], [direction])))].sort();
      if (prefixes.length * keys.length > maxPoints) break;
      prefixes = prefixes.flatMap((prefix) => keys.map((key) => prefix + key));
      bounds.equalities += 1;
      bounds.covered.add(point);
      continue;
    }
    const range = rangeOf(here, direction, index.multikey, bounds.covered);
    if (range) {
      bounds.ranged = true;
      bounds.ranges = prefixes.map((prefix) => ({ low: prefix + range.low, high: prefix + range.high }));
    }
    break;
  }
  bounds.points = prefixes.length;
  const isWhole = index.unique && bounds.equalities === index.fields.length;
  if (!bounds.ranged)
    bounds.ranges = prefixes.map((low) => ({ low, high: isWhole ? low : successor(low), isPoint: isWhole }));
  return bounds;
}

/** The keys of one field that satisfy the range predicates among these; undefined when there are none. */
function rangeOf(
  predicates: Predicate[],
  direction: number,
  multikey: boolean,
  covered: Set<Predicate>,
): Range | undefined {
  let low: string | undefined;
  let high: string | undefined;
  for (const predicate of predicates) {
    const range = oneRange(predicate, direction);
    if (!range) continue;
    // Two elements of an array may satisfy a condition each: only one of the two can bound the keys.
    if (multikey && low !== undefined) break;
    low = low === undefined || range.low > low ? range.low : low;
    high = high === undefined || range.high < high ? range.high : high;
    if (exactly(predicate)) covered.add(predicate);
  }
  return low === undefined ? undefined : { low, high: high! };
}

/** NaN stands with the numbers in an index, yet is neither below nor above any. */
const exactly = ({ op, value }: Predicate): boolean =>
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
  // A range stays within the type of its bound, whose mark is the first character.
  const first = key[0]!;
  const below = (op === 'lt' || op === 'lte') === direction > 0;
  const inclusive = op === 'lte' || op === 'gte';
  if (below) return { low: first, high: inclusive ? successor(key) : key };
  return { low: inclusive ? key : successor(key), high: successor(first) };
}
