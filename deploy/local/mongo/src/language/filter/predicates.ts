import { BSONRegExp } from 'bson';
import { compareValues } from '../compare.js';
import { rankOf } from '../key.js';
import { type Document, isNumeric, isTrue, toNumber } from '../values.js';
import { isOperators, literalPrefix, regexOf } from './regex.js';

/**
 * A condition on `path` that every matching document satisfies. A missing field satisfies `exists` with the value false,
 * and `eq` or `in` with null.
 */
export interface Predicate {
  path: string;
  op: 'eq' | 'in' | 'lt' | 'lte' | 'gt' | 'gte' | 'regexPrefix' | 'exists';
  /** eq, lt, lte, gt and gte: a value; in: an array of values; regexPrefix: the prefix; exists: true or false. */
  value: unknown;
}

/** Predicates that follow from a filter. `exact` means that they are equivalent to it. */
export interface Implied {
  predicates: Predicate[];
  exact: boolean;
}

/**
 * Returns the predicates that a filter implies for single paths: its conditions on fields, including those in `$and`
 * and in a `$or` with one branch.
 */
export function impliedPredicates(filter: Document): Implied {
  const implied: Implied = { predicates: [], exact: true };
  for (const key in filter) {
    const value = filter[key];
    const isConjunction = key === '$and' || (key === '$or' && (value as Document[]).length === 1);
    if (isConjunction) for (const branch of value as Document[]) add(implied, impliedPredicates(branch));
    else add(implied, key.startsWith('$') ? noPredicate : ofField(key, value));
  }
  return implied;
}

function add(into: Implied, { predicates, exact }: Implied): void {
  into.predicates.push(...predicates);
  into.exact &&= exact;
}

const single = (path: string, op: Predicate['op'], value: unknown, exact = true): Implied => ({
  predicates: [{ path, op, value }],
  exact,
});
const noPredicate: Implied = { predicates: [], exact: false };

function ofField(path: string, specification: unknown): Implied {
  if (specification instanceof BSONRegExp) return prefix(path, specification);
  if (!isOperators(specification)) return equality(path, specification);
  const implied: Implied = { predicates: [], exact: true };
  for (const operator in specification)
    if (operator !== '$options') add(implied, ofOperator(path, operator, specification[operator], specification));
  return implied;
}

function ofOperator(path: string, operator: string, operand: unknown, siblings: Document): Implied {
  if (operator === '$eq') return equality(path, operand);
  if (operator === '$exists') return single(path, 'exists', isTrue(operand), false);
  if (operator === '$regex') return prefix(path, regexOf(operand, siblings));
  if (/^\$[lg]te?$/.test(operator)) return comparison(path, operator.slice(1) as Predicate['op'], operand);
  const values = operand as unknown[];
  if (operator === '$in')
    return values.some(Array.isArray) ? noPredicate : single(path, 'in', values, !values.includes(null));
  return operator === '$all' && values.length > 0 ? { ...equality(path, values[0]), exact: false } : noPredicate;
}

/**
 * An index contains the elements of an array, not the array itself, so only the filter can check equality with an
 * array.
 */
const equality = (path: string, value: unknown): Implied =>
  Array.isArray(value) ? noPredicate : single(path, 'eq', value, value !== null);

function comparison(path: string, op: Predicate['op'], value: unknown): Implied {
  const isNumber = isNumeric(value);
  // Comparisons with arrays, null and NaN are left to the filter.
  if (Array.isArray(value) || value === null || (isNumber && Number.isNaN(toNumber(value)))) return noPredicate;
  // In an index NaN sorts before all numbers, so a range below a number is not exact.
  return single(path, op, value, !(isNumber && op.startsWith('l')));
}

function prefix(path: string, regex: BSONRegExp): Implied {
  const text = literalPrefix(regex);
  return text ? single(path, 'regexPrefix', text, false) : noPredicate;
}

/** Returns whether every document that satisfies the predicate has the field, so that a sparse index contains it. */
export function needsValue({ op, value }: Predicate): boolean {
  if (op === 'exists') return value === true;
  return op === 'in' ? !(value as unknown[]).includes(null) : value !== null;
}

const holds: Record<string, (order: number) => boolean> = {
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

/** Returns the values that satisfy an `eq` or `in` predicate; undefined for other predicates. */
export const valuesOf = ({ op, value }: Predicate): unknown[] | undefined =>
  op === 'eq' ? [value] : op === 'in' ? (value as unknown[]) : undefined;

function implies(given: Predicate, { path, op, value }: Predicate): boolean {
  if (given.path !== path) return false;
  if (given.op === op && compareValues(given.value, value) === 0) return true;
  const values = valuesOf(given) ?? [undefined];
  return values.every((one) => rankOf(one) === rankOf(value) && holds[op]?.(compareValues(one, value)));
}

/** Returns whether a partial index is known to contain every document that satisfies the predicates. */
export const coveredByPartial = (predicates: readonly Predicate[], partial: Implied): boolean =>
  partial.exact && partial.predicates.every((wanted) => predicates.some((given) => implies(given, wanted)));
