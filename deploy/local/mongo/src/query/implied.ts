import { compareValues, rankOf } from '../language/compare.js';
import type { Filter, Predicate } from '../language/filter.js';

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
export const coveredByPartial = (predicates: readonly Predicate[], partial: Filter): boolean =>
  partial.exact && partial.predicates.every((wanted) => predicates.some((given) => implies(given, wanted)));
