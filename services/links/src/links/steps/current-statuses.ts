import { statusAt } from '../domain/expiry.js';
import type { Link, LinkStatus } from '../domain/link.js';
import { routeKey } from '../../redirects/domain/route.js';
import type { ApiDeps } from '../../usecase-deps.js';

const keyOf = ({ domain, slug }: Link): string => routeKey(domain, slug);

/**
 * Returns the statuses of links as redirects see them now, in order. Reads only the routes of active links that have
 * a click limit.
 */
export async function currentStatuses(
  { store, now }: Pick<ApiDeps, 'store' | 'now'>,
  links: Link[],
): Promise<LinkStatus[]> {
  const limited = links.filter(({ status, maxClicks }) => status === 'active' && maxClicks !== null);
  const routes = limited.length > 0 ? await store.routes.byKeys(limited.map(keyOf)) : [];
  const remaining = new Map(routes.map((route) => [route.linkId, route.remaining]));
  return links.map((link) => statusAt(link, remaining.get(link._id) ?? null, now()));
}
