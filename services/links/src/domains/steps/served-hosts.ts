import { fail } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import { domainKey } from '../../redirects/domain/route.js';
import type { Store } from '../../store/index.js';

const MAX_KNOWN = 10_000;
/** Links mostly lead to the same few hosts; and one that slips through in this time leads in a circle at worst. */
const KNOWN_MS = 5_000;

/**
 * Knows which hosts of destinations are verified custom domains, of whatever workspace: such a one is a host of this
 * service as the default domain is, and links between those could go round in circles.
 */
export class ServedHosts {
  readonly #known = new LRUCache<string, boolean>({ max: MAX_KNOWN, ttl: KNOWN_MS });

  constructor(private readonly store: Pick<Store, 'routes'>) {}

  /** Which of some destinations lead back here, as it was 5 s ago at most. */
  async among(urls: string[]): Promise<(url: string) => boolean> {
    const verdicts = new Map(urls.map((url) => [hostOf(url), this.#known.get(hostOf(url))]));
    const unknown = [...verdicts].flatMap(([host, served]) => (served === undefined ? host : []));
    const entries = unknown.length > 0 ? await this.store.routes.byKeys(unknown.map(domainKey)) : [];
    const found = new Set(entries.map(({ _id }) => _id));
    for (const host of unknown) {
      const served = found.has(domainKey(host));
      verdicts.set(host, served);
      this.#known.set(host, served);
    }
    return (url) => verdicts.get(hostOf(url)) === true;
  }

  /** Throws VALIDATION_ERROR naming the field for a destination that leads back here. */
  async refuse(url: string, field = 'url'): Promise<void> {
    if ((await this.among([url]))(url)) throw backToSelf(field);
  }
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');

export const backToSelf = (field = 'url') =>
  fail('VALIDATION_ERROR', `${field} must not lead back to this service.`, field);
