import { BSONRegExp } from 'bson';
import { compareValues, RANK, rankOf } from '../compare.js';
import { type Document, isTrue, toNumber } from '../values.js';
import { isOperators, regexOf } from './operators.js';
import { literalPrefix } from './regex.js';

/** A condition that every matching document meets on some value that `path` leads to. */
export interface Predicate {
  path: string;
  op: 'eq' | 'in' | 'lt' | 'lte' | 'gt' | 'gte' | 'regexPrefix' | 'exists';
  /** eq, lt…: a value; in: an array of values; regexPrefix: the prefix; exists: true or false. */
  value: unknown;
}

export interface Implied {
  predicates: Predicate[];
  /** The filter says nothing but the predicates. */
  exact: boolean;
}

/** What a filter implies for single paths: its top-level conditions, and the hull of an `$or` whose branches share a path. */
export function impliedPredicates(filter: Document): Implied {
  const implied: Implied = { predicates: [], exact: true };
  for (const key in filter) {
    const value = filter[key];
    if (key === '$and') for (const branch of value as Document[]) add(implied, impliedPredicates(branch));
    else if (key === '$or') add(implied, hull((value as Document[]).map(impliedPredicates)));
    else if (key.startsWith('$')) implied.exact = false;
    else add(implied, ofField(key, value));
  }
  return implied;
}

function add(into: Implied, { predicates, exact }: Implied): void {
  into.predicates.push(...predicates);
  into.exact &&= exact;
}

const one = (path: string, op: Predicate['op'], value: unknown, exact = true): Implied => ({
  predicates: [{ path, op, value }],
  exact,
});
const nothing: Implied = { predicates: [], exact: false };

function ofField(path: string, specification: unknown): Implied {
  if (!isOperators(specification)) return equality(path, specification, specification instanceof BSONRegExp);
  const implied: Implied = { predicates: [], exact: true };
  for (const operator in specification) {
    if (operator !== '$options') add(implied, ofOperator(path, operator, specification[operator], specification));
  }
  return implied;
}

function ofOperator(path: string, operator: string, operand: unknown, siblings: Document): Implied {
  switch (operator) {
    case '$eq':
      return equality(path, operand, false);
    case '$in':
      return membership(path, operand as unknown[]);
    case '$lt':
    case '$lte':
    case '$gt':
    case '$gte':
      return comparison(path, operator.slice(1) as Predicate['op'], operand);
    case '$exists':
      return one(path, 'exists', isTrue(operand), false);
    case '$regex':
      return prefix(path, regexOf(operand, siblings));
    case '$all': {
      const [first] = operand as unknown[];
      return first === undefined ? nothing : { ...equality(path, first, false), exact: false };
    }
    default:
      return nothing;
  }
}

/** An index holds the elements of an array, not the array: equality with one is left to the filter. */
const indexable = (value: unknown): boolean => !Array.isArray(value);

function equality(path: string, value: unknown, isPattern: boolean): Implied {
  if (isPattern) return prefix(path, value as BSONRegExp);
  if (!indexable(value)) return path === '_id' ? one(path, 'eq', value, false) : nothing;
  return one(path, 'eq', value, value !== null);
}

function membership(path: string, values: unknown[]): Implied {
  if (!values.every(indexable)) return nothing;
  return one(path, 'in', values, !values.includes(null));
}

function comparison(path: string, op: Predicate['op'], value: unknown): Implied {
  if (!indexable(value)) return nothing;
  const orEqual = op.endsWith('e');
  if (value === null || Number.isNaN(toNumber(value))) {
    // null and NaN are only "less or equal" to themselves; toNumber gives NaN for what is no number, too.
    if (value === null) return orEqual ? one(path, 'eq', null, false) : one(path, 'in', []);
    if (rankOf(value) === RANK.number) return orEqual ? one(path, 'eq', value) : one(path, 'in', []);
  }
  // A range below a number begins after NaN, which an index sorts first.
  return one(path, op, value, !(rankOf(value) === RANK.number && op.startsWith('l')));
}

function prefix(path: string, regex: BSONRegExp): Implied {
  const text = literalPrefix(regex);
  return text ? one(path, 'regexPrefix', text, false) : nothing;
}

/** For every path that all branches bound: the union of equalities, or the widest bound on either side. */
function hull(branches: Implied[]): Implied {
  if (branches.length === 1) return branches[0]!;
  const paths = new Set(branches[0]?.predicates.map(({ path }) => path));
  const predicates: Predicate[] = [];
  for (const path of paths) {
    const groups = branches.map((branch) => branch.predicates.filter((predicate) => predicate.path === path));
    if (groups.every((group) => group.length > 0)) predicates.push(...hullOf(path, groups));
  }
  return { predicates, exact: false };
}

function hullOf(path: string, groups: Predicate[][]): Predicate[] {
  const points = groups.map((group) => group.find(({ op }) => op === 'eq' || op === 'in'));
  if (points.every((point) => point !== undefined)) {
    return [
      { path, op: 'in', value: points.flatMap(({ op, value }) => (op === 'in' ? (value as unknown[]) : [value])) },
    ];
  }
  const bounds: Predicate[] = [];
  for (const side of ['l', 'g'] as const) {
    const ends = groups.map((group) => group.find(({ op }) => op === 'eq' || op.startsWith(side + 't')));
    if (ends.every((end) => end !== undefined)) bounds.push(...widest(path, side, ends));
  }
  return bounds;
}

function widest(path: string, side: 'l' | 'g', ends: Predicate[]): Predicate[] {
  if (ends.some((end) => rankOf(end.value) !== rankOf(ends[0]!.value) || end.value === null)) return [];
  const sign = side === 'l' ? 1 : -1;
  const values = ends.map((end) => end.value).sort((a, b) => sign * compareValues(b, a));
  return [{ path, op: side === 'l' ? 'lte' : 'gte', value: values[0] }];
}
