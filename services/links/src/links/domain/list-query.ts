import { checkLimit, fail, oneOf, parseFilterValues, parseTerms, parseTimeBound } from '@tautan/kit';
import { MAX_TAGS_PER_LINK } from '../../tags/domain/tag-names.js';
import { parseDomainName } from '../../domains/domain/domain-name.js';
import { linkStatuses, type LinkStatus } from './link.js';
import { sortKeys, type Order, type SortKey } from './order.js';

/** The parameters of a list request. */
export interface ListInput {
  q?: string | undefined;
  tags: string[];
  status?: string | undefined;
  sort?: string | undefined;
  order?: string | undefined;
  limit: number;
  cursor?: string | undefined;
  /** Name of a custom domain, or `default`. */
  domain?: string | undefined;
  /** Id of a user or API key. */
  createdBy?: string | undefined;
  /** ISO 8601 date-times with an offset, or dates in UTC; the whole last day is included. */
  createdFrom?: string | undefined;
  createdTo?: string | undefined;
}

/** The filters and order of a list, which its cursors are bound to. */
export interface ListQuery {
  /** Lower-case terms, all of which must be found. */
  terms: string[];
  /** Names or ids, as requested. */
  tags: string[];
  status: LinkStatus | undefined;
  order: Order;
  /** Custom domain; null for the default one, undefined for all. */
  domain: string | null | undefined;
  createdBy: string | undefined;
  createdFrom: Date | undefined;
  createdTo: Date | undefined;
}

/** Validates the parameters of a list, except its cursor. Throws VALIDATION_ERROR naming the invalid one. */
export function parseListQuery(input: ListInput): ListQuery {
  checkLimit(input.limit);
  return {
    terms: parseTerms(input.q ?? ''),
    tags: parseFilterValues('tag', input.tags, MAX_TAGS_PER_LINK),
    status: oneOf('status', linkStatuses, input.status),
    order: {
      key: oneOf<SortKey>('sort', sortKeys, input.sort) ?? 'createdAt',
      direction: oneOf('order', ['asc', 'desc'], input.order) === 'asc' ? 1 : -1,
    },
    domain: parseDomainFilter(input.domain),
    createdBy: input.createdBy,
    ...parseCreated(input),
  };
}

/** The value of `domain` for the default domain. Names of custom domains always contain a dot. */
const DEFAULT_DOMAIN = 'default';

function parseDomainFilter(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  if (text === DEFAULT_DOMAIN) return null;
  const name = parseDomainName(text);
  if (name === undefined) throw fail('VALIDATION_ERROR', 'domain must be a host name, or `default`.', 'domain');
  return name;
}

function parseCreated({ createdFrom, createdTo }: ListInput): Pick<ListQuery, 'createdFrom' | 'createdTo'> {
  const from = createdFrom === undefined ? undefined : parseTimeBound('createdFrom', createdFrom, 'start');
  const to = createdTo === undefined ? undefined : parseTimeBound('createdTo', createdTo, 'end');
  if (from && to && from > to) {
    throw fail('VALIDATION_ERROR', 'createdFrom must not be later than createdTo.', 'createdFrom');
  }
  return { createdFrom: from, createdTo: to };
}
