import { fail } from '../language/errors.js';
import { compileFilter, type Filter } from '../language/filter.js';
import { coveredByPartial, needsValue, type Predicate } from '../language/filter/predicates.js';
import { equalValues } from '../language/compare.js';
import { isDocument, type Document } from '../language/values.js';
import type { CollectionIndex } from '../storage/collection-index.js';
import type { Collection } from '../storage/collection.js';
import { isExactBound } from '../storage/keys.js';
import { boundsOf, type Bounds } from './bounds.js';

export interface Query {
  filter: Filter;
  /** The uncompiled filter, for the branches of a `$or`. */
  source: Document;
  sort?: Document | undefined;
  hint?: unknown;
}

/** A scan of ranges of an index. */
export interface IndexScan {
  index: CollectionIndex;
  bounds: Bounds;
  reverse: boolean;
  /** Whether the documents of each range are in the requested order. */
  sorted: boolean;
  /** The filter, unless the bounds imply it. */
  residual: Filter | undefined;
}

export interface Plan {
  /** One scan, or one for each branch of a `$or`. */
  scans: IndexScan[];
  sorted: boolean;
  isCollectionScan: boolean;
}

/** Plans a query. Throws BadValue for a hint on a missing index. */
export function planFor(collection: Collection, query: Query): Plan {
  const { hint, filter } = query;
  if (isDocument(hint) && '$natural' in hint) return collectionScan(collection, query);
  if (hint !== undefined) return planOf([indexScan(hintedIndex(collection, hint), query, filter.predicates)]);
  const best = bestScan(collection, query, filter.predicates);
  const union = branchScans(collection, query);
  if (union && isBetter(union, best)) return planOf(union);
  return best ? planOf([best]) : collectionScan(collection, query);
}

const planOf = (scans: IndexScan[], isCollectionScan = false): Plan => ({
  scans,
  sorted: scans.every(({ sorted }) => sorted),
  isCollectionScan,
});

const collectionScan = ({ idIndex }: Collection, query: Query): Plan => planOf([indexScan(idIndex, query, [])], true);

function hintedIndex(collection: Collection, hint: unknown): CollectionIndex {
  const index = collection.indexes.find(({ spec }) =>
    typeof hint === 'string' ? spec.name === hint : equalValues(spec.key, hint),
  );
  if (index) return index;
  fail('BadValue', 'planner returned error: hint provided does not correspond to an existing index');
}

function bestScan(collection: Collection, query: Query, predicates: Predicate[]): IndexScan | undefined {
  let best: IndexScan | undefined;
  for (const index of collection.indexes) {
    if (!mayUse(index, predicates)) continue;
    const scan = indexScan(index, query, predicates);
    if (selectivity(scan) === 0 && !(query.sort && scan.sorted)) continue;
    if (!best || scoreOf(scan) > scoreOf(best)) best = scan;
  }
  return best;
}

/** Whether the index contains every document that satisfies the predicates. */
function mayUse(index: CollectionIndex, predicates: Predicate[]): boolean {
  if (index.partial && !coveredByPartial(predicates, index.partial)) return false;
  if (!index.spec.sparse) return true;
  return predicates.some((predicate) => index.spec.key[predicate.path] !== undefined && needsValue(predicate));
}

/**
 * Returns the score of a scan; the highest is best. Scans that bind all fields of a unique key to values have the
 * highest scores. Other scores depend on the number of fields that are bound to values, then on whether a field is
 * bound to a range, then on whether the scan is in the requested order.
 */
function scoreOf(scan: IndexScan): number {
  const { index, bounds, sorted } = scan;
  if (index.unique && bounds.equalities === index.fields.length) return 1000 - Math.min(bounds.points, 500);
  return selectivity(scan) + (sorted ? 6 : 0);
}

function indexScan(index: CollectionIndex, query: Query, predicates: Predicate[]): IndexScan {
  const bounds = boundsOf(index, predicates);
  const direction = query.sort ? scanDirection(index, query.sort, predicates, bounds) : 1;
  const { exact, predicates: all } = query.filter;
  const covered =
    exact &&
    !index.multikey &&
    all.length === predicates.length &&
    all.every((each) => bounds.covered.has(each)) &&
    bounds.ranges.every(({ low, high, isPoint }) => isPoint || (isExactBound(low) && isExactBound(high)));
  return {
    index,
    bounds,
    reverse: direction < 0,
    sorted: direction !== 0,
    residual: covered ? undefined : query.filter,
  };
}

/** Returns the direction (1 or -1) in which a range of the index is in the order of the sort; 0 if it is in neither. */
function scanDirection(
  index: CollectionIndex,
  sort: Document,
  predicates: Predicate[],
  { equalities }: Bounds,
): number {
  if (index.multikey) return 0;
  const isFixed = (path: string): boolean =>
    predicates.some((predicate) => predicate.path === path && predicate.op === 'eq' && !Array.isArray(predicate.value));
  let direction = 0;
  let at = 0;
  for (const [path, wanted] of Object.entries(sort)) {
    // An equality also matches elements of arrays, so it fixes the value of a field only if the index shows that the
    // field has no arrays.
    if (isFixed(path) && index.fields.some((own) => own.path === path)) continue;
    // Within a range, a field has one value if the bounds bind it or an equality fixes it.
    while (index.fields[at] && index.fields[at]!.path !== path && (at < equalities || isFixed(index.fields[at]!.path)))
      at += 1;
    const field = index.fields[at];
    if (field?.path !== path) return 0;
    const fieldDirection = field.direction * (Number(wanted) < 0 ? -1 : 1);
    if (direction !== 0 && fieldDirection !== direction) return 0;
    direction = fieldDirection;
    at += 1;
  }
  return direction === 0 ? 1 : direction;
}

/**
 * Returns a scan for each branch of a top-level `$or`, combined with the other conditions. Returns undefined unless an
 * index narrows each branch.
 */
function branchScans(collection: Collection, query: Query): IndexScan[] | undefined {
  const branches = query.source['$or'];
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const scans: IndexScan[] = [];
  for (const branch of branches as Document[]) {
    const { predicates } = compileFilter(branch);
    const scan = bestScan(collection, query, [...query.filter.predicates, ...predicates]);
    if (!scan || selectivity(scan) === 0) return undefined;
    scans.push(scan);
  }
  return scans;
}

const selectivity = ({ bounds }: IndexScan): number => bounds.equalities * 20 + (bounds.ranged ? 8 : 0);

/**
 * Whether the scans of the branches of a `$or` are better than the best single scan: each has tighter bounds, and all
 * are in the requested order if the single scan is. No union is better than a single scan that binds a unique key.
 */
function isBetter(union: readonly IndexScan[], single: IndexScan | undefined): boolean {
  if (!single) return true;
  if (scoreOf(single) >= 500 || Math.min(...union.map(selectivity)) <= selectivity(single)) return false;
  return union.every(({ sorted }) => sorted) || !single.sorted;
}
