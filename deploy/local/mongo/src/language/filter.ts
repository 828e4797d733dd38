import { refuse } from './errors.js';
import type { Document } from './values.js';

export interface FilterOptions {
  /** Values of `$$name` in `$expr`. */
  let?: Document;
}

/** What the planner may use: every document that matches the filter holds all of these. */
export interface Predicate {
  path: string;
  op: 'eq' | 'in' | 'lt' | 'lte' | 'gt' | 'gte' | 'regexPrefix' | 'exists';
  /** eq, lt…: a value; in: an array of values; regexPrefix: the prefix; exists: true or false. */
  value: unknown;
}

export interface Filter {
  matches(document: Document): boolean;
  /** The index of the array element that matched, for the positional operator `$`; undefined where there is none. */
  position(document: Document): string | undefined;
  predicates: Predicate[];
  /** The filter says nothing but its predicates. */
  exact: boolean;
}

/** Checks and compiles a filter. Throws as the server does: BadValue, FailedToParse… */
export function compileFilter(_filter: Document, _options: FilterOptions = {}): Filter {
  return refuse('filter');
}
