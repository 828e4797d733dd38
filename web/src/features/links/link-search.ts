import type { Link } from './links.js';

export const statuses = ['active', 'expired', 'archived'] as const satisfies readonly Link['status'][];
export const sorts = ['newest', 'oldest', 'clicks', 'lastClick'] as const;
export type LinkSort = (typeof sorts)[number];

/** Filters and order of the list of links, as its address holds them. */
export interface LinkSearch {
  q?: string;
  tag?: string[];
  status?: Link['status'];
  sort?: LinkSort;
}

const text = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Reads the search parameters of an address. Unknown and invalid ones are dropped. */
export function linkSearch({ q, tag, status, sort }: Record<string, unknown>): LinkSearch {
  const tags = (Array.isArray(tag) ? tag : [tag]).filter(text);
  const knownStatus = statuses.find((known) => known === status);
  const knownSort = sorts.find((known) => known === sort && known !== 'newest');
  return {
    ...(text(q) && { q }),
    ...(tags.length > 0 && { tag: tags }),
    ...(knownStatus && { status: knownStatus }),
    ...(knownSort && { sort: knownSort }),
  };
}

const orders = {
  newest: { sort: 'createdAt', order: 'desc' },
  oldest: { sort: 'createdAt', order: 'asc' },
  clicks: { sort: 'clickCount', order: 'desc' },
  lastClick: { sort: 'lastClickAt', order: 'desc' },
} as const;

/** Returns the query parameters of `GET /links` for a search. */
export const linkQuery = ({ sort = 'newest', ...filter }: LinkSearch) => ({ ...filter, ...orders[sort] });

/** Returns whether a search leaves links out. */
export const isFiltered = ({ q, tag, status }: LinkSearch): boolean => Boolean(q ?? tag ?? status);
