import { endOfDay, isDate, startOfDay } from '../../i18n/local-time.js';
import type { Link } from './links.js';

export const statuses = ['active', 'expired', 'archived'] as const satisfies readonly Link['status'][];
export const sorts = ['newest', 'oldest', 'clicks', 'lastClick'] as const;
export type LinkSort = (typeof sorts)[number];

/** Filters and order of the list of links, as stored in the URL of the page. */
export interface LinkSearch {
  q?: string;
  tag?: string[];
  status?: Link['status'];
  sort?: LinkSort;
  /** A custom domain, or `default`. */
  domain?: string;
  /** Id of the creator. */
  by?: string;
  /** First and last day of creation, in the browser's time zone, YYYY-MM-DD. */
  from?: string;
  to?: string;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Parses the search parameters of a URL. Unknown parameters and invalid values are ignored. */
export function linkSearch({ q, tag, status, sort, domain, by, from, to }: Record<string, unknown>): LinkSearch {
  const tags = (Array.isArray(tag) ? tag : [tag]).filter(isText);
  const knownStatus = statuses.find((known) => known === status);
  const knownSort = sorts.find((known) => known === sort && known !== 'newest');
  return {
    ...(isText(q) && { q }),
    ...(tags.length > 0 && { tag: tags }),
    ...(knownStatus && { status: knownStatus }),
    ...(knownSort && { sort: knownSort }),
    ...(isText(domain) && { domain }),
    ...(isText(by) && { by }),
    ...(isDate(from) && { from }),
    ...(isDate(to) && !(isDate(from) && from > to) && { to }),
  };
}

const orders = {
  newest: { sort: 'createdAt', order: 'desc' },
  oldest: { sort: 'createdAt', order: 'asc' },
  clicks: { sort: 'clickCount', order: 'desc' },
  lastClick: { sort: 'lastClickAt', order: 'desc' },
} as const;

/** Returns the query parameters of `GET /links` for a search. */
export const linkQuery = ({ sort = 'newest', by, from, to, ...filter }: LinkSearch) => ({
  ...filter,
  ...(by !== undefined && { createdBy: by }),
  ...(from !== undefined && { createdFrom: startOfDay(from) }),
  ...(to !== undefined && { createdTo: endOfDay(to) }),
  ...orders[sort],
});

/** Returns whether a search uses one of the filters that are collapsed by default. */
export const usesMoreFilters = ({ domain, by, from, to }: LinkSearch): boolean => Boolean(domain ?? by ?? from ?? to);

/** Returns whether a search has any filter. */
export const isFiltered = ({ q, tag, status, ...more }: LinkSearch): boolean =>
  Boolean(q ?? tag ?? status) || usesMoreFilters(more);
