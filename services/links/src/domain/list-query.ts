import { fail } from '@tautan/kit';
import { linkStatuses, type LinkStatus } from './link.js';
import { sortKeys, type Order, type SortKey } from './order.js';
import { checkCharacters } from './text.js';

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

const MAX_PAGE = 200;
const MAX_Q = 200;
const MAX_TAGS = 20;

/** Checks a list's parameters but its cursor. Throws VALIDATION_ERROR naming the offending one. */
export function parseListQuery(input: ListInput): ListQuery {
  if (!Number.isInteger(input.limit) || input.limit < 1 || input.limit > MAX_PAGE) {
    throw fail('VALIDATION_ERROR', `limit must be from 1 to ${MAX_PAGE}.`, 'limit');
  }
  return {
    terms: parseTerms(input.q ?? ''),
    tags: parseTags(input.tags),
    status: oneOf('status', linkStatuses, input.status),
    order: {
      key: oneOf<SortKey>('sort', sortKeys, input.sort) ?? 'createdAt',
      direction: oneOf('order', ['asc', 'desc'], input.order) === 'asc' ? 1 : -1,
    },
  };
}

function parseTerms(q: string): string[] {
  checkCharacters('q', q);
  if (q.length > MAX_Q) throw fail('VALIDATION_ERROR', `q must have at most ${MAX_Q} characters.`, 'q');
  const terms = q.toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(terms)].sort();
}

function parseTags(tags: string[]): string[] {
  for (const tag of tags) checkCharacters('tag', tag);
  const wanted = [...new Set(tags.map((tag) => tag.trim()))].sort();
  if (wanted.length > MAX_TAGS) throw fail('VALIDATION_ERROR', `At most ${MAX_TAGS} tags can be asked for.`, 'tag');
  return wanted;
}

function oneOf<T extends string>(field: string, allowed: readonly T[], value: string | undefined): T | undefined {
  if (value === undefined || (allowed as readonly string[]).includes(value)) return value as T | undefined;
  throw fail('VALIDATION_ERROR', `${field} must be one of ${allowed.join(', ')}.`, field);
}
