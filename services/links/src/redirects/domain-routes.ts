import { domainKey } from './domain/route.js';
import type { CachedRoute } from './cached-route.js';
import type { RouteCache } from './route-cache.js';

/**
 * Answers on custom domains. A slug's answer holds only under the entry of its domain, and only when both are one
 * workspace's: what a former holder left on a domain is not there. Both are cached, dropped and, while the database is
 * away, served as last known in the same way. For a host that is no verified domain its own entry alone is looked for.
 */
export class DomainRoutes {
  constructor(private readonly cache: RouteCache) {}

  /** The answer of a key on a host, if both entries are known and fresh at `now` (Unix ms). */
  peek(host: string, key: string, now: number): CachedRoute | undefined {
    const domain = this.cache.peek(domainKey(host), now);
    if (domain === undefined || domain.state !== 'active') return domain;
    const answer = this.cache.peek(key, now);
    return answer && under(domain, answer);
  }

  /** The answer of a key on a host: read where it is not fresh. Rejects as the cache does. */
  async get(host: string, key: string): Promise<CachedRoute> {
    const domain = this.cache.peek(domainKey(host), Date.now()) ?? (await this.cache.get(domainKey(host)));
    if (domain.state !== 'active') return domain;
    return under(domain, this.cache.peek(key, Date.now()) ?? (await this.cache.get(key)));
  }
}

const under = (domain: CachedRoute, answer: CachedRoute): CachedRoute =>
  answer.state === 'missing' || answer.workspaceId === domain.workspaceId
    ? answer
    : { ...answer, state: 'missing', limited: false };
