import { compareValues, rankOf } from '../language/compare.js';
import type { Filter, Predicate } from '../language/filter.js';

/** Whether a document that satisfies the predicate has a value, not null, at its path. */
export const needsValue = ({ op, value }: Predicate): boolean => {
  if (op === 'exists') return value === true;
  if (op === 'in') return (value as unknown[]).every((one) => one !== null);
  return value !== null;
};

const holds: Record<string, (order: number) => boolean> = {
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

/** The values, one of which a document that satisfies the predicate has; undefined when there is no such list. */
export const valuesOf = ({ op, value }: Predicate): unknown[] | undefined =>
  op === 'eq' ? [value] : op === 'in' ? (value as unknown[]) : undefined;

function implies(given: Predicate, { path, op, value }: Predicate): boolean {
  if (given.path !== path) return false;
  if (given.op === op && compareValues(given.value, value) === 0) return true;
  const values = valuesOf(given) ?? [undefined];
  return values.every((one) => rankOf(one) === rankOf(value) && holds[op]?.(compareValues(one, value)));
}

/** Whether every document that satisfies the predicates is in a partial index with this filter. */
export const coveredByPartial = (predicates: readonly Predicate[], partial: Filter): boolean =>
  partial.exact && partial.predicates.every((wanted) => predicates.some((given) => implies(given, wanted)));
