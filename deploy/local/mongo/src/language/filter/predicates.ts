import { BSONRegExp } from 'bson';
import { type Document, isNumeric, isTrue, toNumber } from '../values.js';
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

/** What a filter implies for single paths: its conditions on fields, alone or within `$and`. */
export function impliedPredicates(filter: Document): Implied {
  const implied: Implied = { predicates: [], exact: true };
  for (const key in filter) {
    const value = filter[key];
    const isAll = key === '$and' || (key === '$or' && (value as Document[]).length === 1);
    if (isAll) for (const branch of value as Document[]) add(implied, impliedPredicates(branch));
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
  if (specification instanceof BSONRegExp) return prefix(path, specification);
  if (!isOperators(specification)) return equality(path, specification);
  const implied: Implied = { predicates: [], exact: true };
  for (const operator in specification) {
    if (operator !== '$options') add(implied, ofOperator(path, operator, specification[operator], specification));
  }
  return implied;
}

function ofOperator(path: string, operator: string, operand: unknown, siblings: Document): Implied {
  switch (operator) {
    case '$eq':
      return equality(path, operand);
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
      return first === undefined ? nothing : { ...equality(path, first), exact: false };
    }
    default:
      return nothing;
  }
}

/** An index holds the elements of an array, not the array: equality with one is left to the filter. */
const indexable = (value: unknown): boolean => !Array.isArray(value);

function equality(path: string, value: unknown): Implied {
  return indexable(value) ? one(path, 'eq', value, value !== null) : nothing;
}

function membership(path: string, values: unknown[]): Implied {
  return values.every(indexable) ? one(path, 'in', values, !values.includes(null)) : nothing;
}

function comparison(path: string, op: Predicate['op'], value: unknown): Implied {
  const isNumber = isNumeric(value);
  // What null and NaN compare with is left to the filter.
  if (!indexable(value) || value === null || (isNumber && Number.isNaN(toNumber(value)))) return nothing;
  // A range below a number begins after NaN, which an index sorts first.
  return one(path, op, value, !(isNumber && op.startsWith('l')));
}

function prefix(path: string, regex: BSONRegExp): Implied {
  const text = literalPrefix(regex);
  return text ? one(path, 'regexPrefix', text, false) : nothing;
}
