import { domainKey } from './domain/route.js';
import type { CachedRoute } from './cached-route.js';
import type { RouteCache } from './route-cache.js';

/**
 * Routes on custom domains. Each verified domain has an entry of its own in the routing table. A route is served only
 * while the entry of its domain belongs to the same workspace, so routes that a former owner left on the domain are not
 * served. The domain's entry and the route are cached, invalidated and, while the database is unavailable, served stale
 * in the same way. For a host that is not a verified domain, the route is not read: the result is the domain's entry,
 * whose state is `missing`.
 */
export class DomainRoutes {
  constructor(private readonly cache: RouteCache) {}

  /**
   * Returns the route with the key `<host>/<slug>`, on the custom domain `host`, if the required entries are cached and
   * fresh at `now` (Unix ms).
   */
  peek(host: string, key: string, now: number): CachedRoute | undefined {
    const domain = this.cache.peek(domainKey(host), now);
    if (domain === undefined || domain.state !== 'active') return domain;
    const route = this.cache.peek(key, now);
    return route && ownedOrMissing(domain, route);
  }

  /** Like `peek`, but reads each entry that is not cached and fresh. Rejects if `RouteCache.get` does. */
  async get(host: string, key: string): Promise<CachedRoute> {
    const domain = this.cache.peek(domainKey(host), Date.now()) ?? (await this.cache.get(domainKey(host)));
    if (domain.state !== 'active') return domain;
    return ownedOrMissing(domain, this.cache.peek(key, Date.now()) ?? (await this.cache.get(key)));
  }
}

const ownedOrMissing = (domain: CachedRoute, route: CachedRoute): CachedRoute =>
  route.state === 'missing' || route.workspaceId === domain.workspaceId
    ? route
    : { ...route, state: 'missing', limited: false };
