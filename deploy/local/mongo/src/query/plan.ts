import { MongoError } from '../language/errors.js';
import { compileFilter, type Filter, type Predicate } from '../language/filter.js';
import { equalValues } from '../language/compare.js';
import type { Variables } from '../language/expression.js';
import type { Document } from '../language/values.js';
import type { CollectionIndex } from '../storage/collection-index.js';
import type { Collection } from '../storage/collection.js';
import { boundsOf, type Bounds } from './bounds.js';
import { coveredByPartial, needsValue } from './implied.js';

/** What is asked of a collection. */
export interface Query {
  filter: Filter;
  /** The filter as it was given, for the branches of a `$or`. */
  source: Document;
  sort?: Document | undefined;
  hint?: unknown;
  variables?: Variables | undefined;
}

export interface IndexScan {
  kind: 'index';
  index: CollectionIndex;
  bounds: Bounds;
  reverse: boolean;
  /** The documents of one range come in the order that is asked for. */
  sorted: boolean;
  /** What the documents found must still satisfy; undefined when the bounds say it all. */
  residual: Filter | undefined;
}

export type Plan =
  | { kind: 'none' }
  | { kind: 'collection'; reverse: boolean; sorted: boolean; residual: Filter | undefined }
  | IndexScan
  | { kind: 'union'; branches: IndexScan[]; sorted: boolean; residual: Filter };

/** Chooses how to find the documents of a query. Error 2 for a hint that names no index. */
export function planFor(collection: Collection, query: Query): Plan {
  const natural = naturalOrder(query);
  if (natural !== 0) return collectionScan(query, natural < 0);
  const hinted = query.hint === undefined ? undefined : hintedIndex(collection, query.hint);
  if (hinted) return indexScan(hinted, query, query.filter.predicates);
  const best = bestScan(collection, query, query.filter.predicates);
  const union =
    best && best.bounds.equalities > 0 && (best.sorted || !query.sort) && !hasOr(query)
      ? undefined
      : unionOf(collection, query);
  if (union && better(union, best)) return union;
  return best ?? collectionScan(query, false);
}

const hasOr = ({ source }: Query): boolean => Array.isArray(source['$or']);

function collectionScan(query: Query, reverse: boolean): Plan {
  const residual = matchesAll(query.filter) ? undefined : query.filter;
  return { kind: 'collection', reverse, sorted: !query.sort || '$natural' in query.sort, residual };
}

const matchesAll = (filter: Filter): boolean => filter.exact && filter.predicates.length === 0;

/** The direction of `$natural` in the hint or the sort; 0 when there is none. */
function naturalOrder({ hint, sort }: Query): number {
  const of = (value: unknown): number => {
    if (typeof value !== 'object' || value === null || !('$natural' in value)) return 0;
    return Number(value.$natural) < 0 ? -1 : 1;
  };
  return of(sort) || of(hint);
}

function hintedIndex(collection: Collection, hint: unknown): CollectionIndex {
  const index = collection.indexes.find(({ spec }) =>
    typeof hint === 'string' ? spec.name === hint : equalValues(spec.key, hint),
  );
  if (index) return index;
  throw new MongoError(
    'BadValue',
    `error processing query: planner returned error: hint provided does not correspond to an existing index`,
  );
}

function bestScan(collection: Collection, query: Query, predicates: Predicate[]): IndexScan | undefined {
  let best: IndexScan | undefined;
  for (const index of collection.indexes) {
    if (!mayUse(index, predicates)) continue;
    const scan = indexScan(index, query, predicates);
    if (scan.bounds.equalities === 0 && !scan.bounds.ranged && !(query.sort && scan.sorted)) continue;
    if (!best || scoreOf(scan) > scoreOf(best)) best = scan;
  }
  return best;
}

/** Whether every document of the query has an entry in the index. */
function mayUse(index: CollectionIndex, predicates: Predicate[]): boolean {
  if (index.partial && !coveredByPartial(predicates, index.partial)) return false;
  if (!index.spec.sparse) return true;
  return predicates.some((predicate) => index.spec.key[predicate.path] !== undefined && needsValue(predicate));
}

/** Few documents first: a whole unique key, then the most fields bound to values, then order, then a range. */
function scoreOf({ index, bounds, sorted }: IndexScan): number {
  if (index.unique && bounds.equalities === index.fields.length) return 1000 - Math.min(bounds.points, 500);
  return bounds.equalities * 20 + (bounds.ranged ? 8 : 0) + (sorted ? 6 : 0);
}

function indexScan(index: CollectionIndex, query: Query, predicates: Predicate[]): IndexScan {
  const bounds = boundsOf(index, predicates);
  const order = query.sort ? orderBy(index, query.sort, predicates) : 1;
  const exact = query.filter.exact && predicates === query.filter.predicates && !index.multikey;
  const covered = exact && predicates.every((predicate) => bounds.covered.has(predicate));
  return {
    kind: 'index',
    index,
    bounds,
    reverse: order < 0,
    sorted: order !== 0,
    residual: covered ? undefined : query.filter,
  };
}

/** 1 or -1 when walking one range of the index up or down gives the order; 0 when neither does. */
function orderBy(index: CollectionIndex, sort: Document, predicates: Predicate[]): number {
  if (index.multikey) return 0;
  const fixed = (path: string): boolean =>
    predicates.some((predicate) => predicate.path === path && predicate.op === 'eq' && !Array.isArray(predicate.value));
  const points = (path: string): boolean =>
    fixed(path) || predicates.some((predicate) => predicate.path === path && predicate.op === 'in');
  let direction = 0;
  let at = 0;
  for (const [path, wanted] of Object.entries(sort)) {
    if (typeof wanted === 'object') return 0;
    // Only a field of the index is known to hold no arrays, of which an equality would fix but one element.
    if (fixed(path) && index.fields.some((own) => own.path === path)) continue;
    while (index.fields[at] && index.fields[at]!.path !== path && points(index.fields[at]!.path)) at += 1;
    const field = index.fields[at];
    if (field?.path !== path) return 0;
    const here = field.direction * (Number(wanted) < 0 ? -1 : 1);
    if (direction !== 0 && here !== direction) return 0;
    direction = here;
    at += 1;
  }
  return direction === 0 ? 1 : direction;
}

/** One scan for each branch of a top-level `$or`, each with the conditions beside the `$or`; undefined if one has none. */
function unionOf(collection: Collection, query: Query): Plan | undefined {
  const branches = query.source['$or'];
  if (!Array.isArray(branches) || branches.length === 0) return undefined;
  const scans: IndexScan[] = [];
  for (const branch of branches as Document[]) {
    const { predicates } = compileFilter(branch, query.variables);
    const scan = bestScan(collection, query, [...query.filter.predicates, ...predicates]);
    if (!scan || (scan.bounds.equalities === 0 && !scan.bounds.ranged)) return undefined;
    scans.push(scan);
  }
  return { kind: 'union', branches: scans, sorted: scans.every(({ sorted }) => sorted), residual: query.filter };
}

/** Whether a union reads less than the best single scan: each of its branches is bound more closely. */
function better(union: Plan, single: IndexScan | undefined): boolean {
  if (!single) return true;
  if (union.kind !== 'union' || scoreOf(single) >= 500) return false;
  const closest = Math.min(...union.branches.map(({ bounds }) => bounds.equalities * 20 + (bounds.ranged ? 8 : 0)));
  return closest > single.bounds.equalities * 20 + (single.bounds.ranged ? 8 : 0) && (union.sorted || !single.sorted);
}
