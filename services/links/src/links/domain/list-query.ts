import { checkLimit, oneOf, parseTagFilter, parseTerms } from '@tautan/kit';
import { linkStatuses, type LinkStatus } from './link.js';
import { sortKeys, type Order, type SortKey } from './order.js';

/** A list as a caller asks for it. */
export interface ListInput {
  q?: string | undefined;
  tags: string[];
  status?: string | undefined;
  sort?: string | undefined;
  order?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** A list's filters and order: what a cursor is bound to. */
export interface ListQuery {
  /** Lower-case terms, all of which must be found. */
  terms: string[];
  /** Names or ids, as asked for. */
  tags: string[];
  status: LinkStatus | undefined;
  order: Order;
}

/** Checks a list's parameters but its cursor. Throws VALIDATION_ERROR naming the offending one. */
export function parseListQuery(input: ListInput): ListQuery {
  checkLimit(input.limit);
  return {
    terms: parseTerms(input.q ?? ''),
    tags: parseTagFilter(input.tags),
    status: oneOf('status', linkStatuses, input.status),
    order: {
      key: oneOf<SortKey>('sort', sortKeys, input.sort) ?? 'createdAt',
      direction: oneOf('order', ['asc', 'desc'], input.order) === 'asc' ? 1 : -1,
    },
  };
}
