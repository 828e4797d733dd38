import { fail } from '@tautan/kit';
import type { Transaction } from '@tautan/kit/mongo';
import { remainingUnder } from '../domain/expiry.js';
import type { Link } from '../domain/link.js';
import { routeOf } from '../domain/new-link.js';
import { routeKey, type Route } from '../../redirects/domain/route.js';
import type { ApiDeps } from '../../usecase-deps.js';

/** The route of a link, and whether it was restored. */
export interface FoundRoute {
  route: Route;
  restored: boolean;
}

/**
 * Returns the route of a link. After the workspace lost a custom domain, the domain's next owner may have used the
 * slug, which replaced the route. Once the workspace has verified the domain again, this function restores the route in
 * `tx`, and counts all clicks of the link against its limit. Until then, throws SLUG_TAKEN.
 */
export async function findRoute(
  { store, now }: Pick<ApiDeps, 'store' | 'now'>,
  tx: Transaction,
  link: Link,
): Promise<FoundRoute> {
  const found = await store.routes.byKey(routeKey(link.domain, link.slug), tx.session);
  if (found?.workspaceId === link.workspaceId) return { route: found, restored: false };
  if (!(await isOnOwnDomain({ store }, tx, link))) {
    const message = 'Another owner of the domain has used the slug. Verify the domain again to reclaim the slug.';
    throw fail('SLUG_TAKEN', message, 'slug');
  }
  const { maxClicks, clickCount } = link;
  const route = routeOf(link, remainingUnder(maxClicks, { maxClicks: null, clickCount }, null));
  await store.routes.claim([route], now(), tx.session);
  return { route, restored: true };
}

/** Returns whether a link is on the default domain, or on one that its workspace has verified. */
export async function isOnOwnDomain(
  { store }: Pick<ApiDeps, 'store'>,
  tx: Transaction,
  { workspaceId, domain }: Link,
): Promise<boolean> {
  return domain === null || (await store.domains.verifiedNames(workspaceId, [domain], tx.session)).has(domain);
}
