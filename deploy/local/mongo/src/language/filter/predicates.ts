import { BSONRegExp } from 'bson';
import { compareValues } from '../compare.js';
import { rankOf } from '../key.js';
import { type Document, isNumeric, isTrue, toNumber } from '../values.js';
import { isOperators, literalPrefix, regexOf } from './regex.js';

/** A condition that every matching document satisfies with a value at `path`. */
export interface Predicate {
  path: string;
  op: 'eq' | 'in' | 'lt' | 'lte' | 'gt' | 'gte' | 'regexPrefix' | 'exists';
  /** eq, lt…: a value; in: an array of values; regexPrefix: the prefix; exists: true or false. */
  value: unknown;
}

export interface Implied {
  predicates: Predicate[];
  exact: boolean;
}

/** Returns the predicates that a filter implies for single paths: its conditions on fields, including those in `$and`. */
export function impliedPredicates(filter: Document): Implied {
  const implied: Implied = { predicates: [], exact: true };
  for (const key in filter) {
    const value = filter[key];
    const isAll = key === '$and' || (key === '$or' && (value as Document[]).length === 1);
    if (isAll) for (const branch of value as Document[]) add(implied, impliedPredicates(branch));
    else add(implied, key.startsWith('$') ? nothing : ofField(key, value));
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
  if (specification instanceof BSONRegExp) return prefix(path, specification);
  if (!isOperators(specification)) return equality(path, specification);
  const implied: Implied = { predicates: [], exact: true };
  for (const operator in specification)
    if (operator !== '$options') add(implied, ofOperator(path, operator, specification[operator], specification));
  return implied;
}

function ofOperator(path: string, operator: string, operand: unknown, siblings: Document): Implied {
  if (operator === '$eq') return equality(path, operand);
  if (operator === '$exists') return one(path, 'exists', isTrue(operand), false);
  if (operator === '$regex') return prefix(path, regexOf(operand, siblings));
  if (/^\$[lg]te?$/.test(operator)) return comparison(path, operator.slice(1) as Predicate['op'], operand);
  const values = operand as unknown[];
  if (operator === '$in') return values.some(Array.isArray) ? nothing : one(path, 'in', values, !values.includes(null));
  return operator === '$all' && values.length > 0 ? { ...equality(path, values[0]), exact: false } : nothing;
}

/** An index holds the elements of an array, not the array: the filter checks equality with one. */
const equality = (path: string, value: unknown): Implied =>
  Array.isArray(value) ? nothing : one(path, 'eq', value, value !== null);

function comparison(path: string, op: Predicate['op'], value: unknown): Implied {
  const isNumber = isNumeric(value);
  // The filter compares with null and NaN.
  if (Array.isArray(value) || value === null || (isNumber && Number.isNaN(toNumber(value)))) return nothing;
  // A range below a number begins after NaN, which an index sorts first.
  return one(path, op, value, !(isNumber && op.startsWith('l')));
}

function prefix(path: string, regex: BSONRegExp): Implied {
  const text = literalPrefix(regex);
  return text ? one(path, 'regexPrefix', text, false) : nothing;
}

/** Whether every document that satisfies the predicate has a non-null value at its path. */
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

/** Returns the values of which a document that satisfies the predicate has one; undefined if they are not known. */
export const valuesOf = ({ op, value }: Predicate): unknown[] | undefined =>
  op === 'eq' ? [value] : op === 'in' ? (value as unknown[]) : undefined;

function implies(given: Predicate, { path, op, value }: Predicate): boolean {
  if (given.path !== path) return false;
  if (given.op === op && compareValues(given.value, value) === 0) return true;
  const values = valuesOf(given) ?? [undefined];
  return values.every((one) => rankOf(one) === rankOf(value) && holds[op]?.(compareValues(one, value)));
}

/** Whether a partial index contains every document that satisfies the predicates. */
export const coveredByPartial = (predicates: readonly Predicate[], partial: Implied): boolean =>
  partial.exact && partial.predicates.every((wanted) => predicates.some((given) => implies(given, wanted)));
