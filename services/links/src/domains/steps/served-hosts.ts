import { fail, maxEntries } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import { domainKey } from '../../redirects/domain/route.js';
import { withoutDot } from '../domain/host.js';
import type { Store } from '../../store/index.js';

const MAX_HOSTS = 10_000;
/**
 * Time for which results are cached, milliseconds. They are cached because most links point to the same few hosts. A
 * new link to a domain that was verified less than this time ago may therefore still be accepted. At worst, that link
 * creates a redirect loop.
 */
const TTL_MS = 5_000;

/**
 * Detects destinations on verified custom domains of any workspace. These domains are hosts of this service, and links
 * between them could create redirect loops.
 */
export class ServedHosts {
  readonly #cache = new LRUCache<string, boolean>({ ...maxEntries(MAX_HOSTS), ttl: TTL_MS });

  constructor(private readonly store: Pick<Store, 'routes'>) {}

  /** Returns a predicate that tells which of these URLs point to this service. Its results are up to 5 s old. */
  async among(urls: string[]): Promise<(url: string) => boolean> {
    const servedByHost = new Map(urls.map((url) => [hostOf(url), this.#cache.get(hostOf(url))]));
    const unknown = [...servedByHost].flatMap(([host, served]) => (served === undefined ? host : []));
    const entries = unknown.length > 0 ? await this.store.routes.byKeys(unknown.map(domainKey)) : [];
    const found = new Set(entries.map(({ _id }) => _id));
    for (const host of unknown) {
      const served = found.has(domainKey(host));
      servedByHost.set(host, served);
      this.#cache.set(host, served);
    }
    return (url) => servedByHost.get(hostOf(url)) === true;
  }

  /** Throws VALIDATION_ERROR naming the field if a destination points to this service. */
  async assertNotServed(url: string, field = 'url'): Promise<void> {
    if ((await this.among([url]))(url)) throw selfDestination(field);
  }
}

/** Returns the host name of a URL, without a trailing dot. */
export const hostOf = (url: string): string => withoutDot(new URL(url).hostname);

export const selfDestination = (field = 'url') =>
  fail('VALIDATION_ERROR', `${field} must not point to this service.`, field);
