import { compareValues } from '../language/compare.js';
import type { Filter, Predicate } from '../language/filter.js';

type Comparison = 'eq' | 'lt' | 'lte' | 'gt' | 'gte';

const holds: Record<Comparison, (order: number) => boolean> = {
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

const isComparison = (op: string): op is Comparison => op in holds;

/** Whether a document that satisfies the predicate has a value, not null, at its path. */
export const needsValue = ({ op, value }: Predicate): boolean => {
  if (op === 'exists') return value === true;
  if (op === 'in') return (value as unknown[]).every((one) => one !== null);
  return value !== null;
};

function implies(query: Predicate, partial: Predicate): boolean {
  if (query.path !== partial.path) return false;
  if (partial.op === 'exists')
    return partial.value === true ? needsValue(query) : query.op === 'exists' && query.value === false;
  if (!isComparison(partial.op)) return query.op === partial.op && compareValues(query.value, partial.value) === 0;
  if (query.op === 'in')
    return (query.value as unknown[]).every((value) => sameType(value, partial) && satisfies(value, partial));
  if (!isComparison(query.op) || !sameType(query.value, partial)) return false;
  if (query.op === 'eq') return satisfies(query.value, partial);
  const order = compareValues(query.value, partial.value);
  const [side, other] = [query.op.slice(0, 2), partial.op.slice(0, 2)];
  if (side !== other) return false;
  if (order === 0) return query.op === partial.op || partial.op.length === 3;
  return side === 'lt' ? order < 0 : order > 0;
}

const satisfies = (value: unknown, { op, value: bound }: Predicate): boolean =>
  holds[op as Comparison](compareValues(value, bound));

/** Comparisons hold within one type only. */
const sameType = (value: unknown, { value: bound }: Predicate): boolean => {
  const [a, b] = [value, bound];
  if (Array.isArray(a) || Array.isArray(b)) return false;
  return typeName(a) === typeName(b);
};

function typeName(value: unknown): string {
  if (typeof value === 'object' && value !== null) return value.constructor?.name ?? 'Object';
  return typeof value === 'bigint' ? 'number' : typeof value;
}

/** Whether every document that satisfies the predicates is in a partial index with this filter. */
export const coveredByPartial = (predicates: readonly Predicate[], partial: Filter): boolean =>
  partial.exact && partial.predicates.every((wanted) => predicates.some((given) => implies(given, wanted)));
