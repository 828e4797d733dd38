import { RouteCache } from '@tautan/links/route-cache';
import { randomNumbers, zipf } from './zipf.js';

/** The parameters of a simulation. */
export interface Simulation {
  /** Number of links. Their popularity follows Zipf's law. */
  links: number;
  /** Exponent of the Zipf distribution. */
  exponent: number;
  /** Visits per second to one process. */
  perSecond: number;
  /** `CACHE_MAX_ENTRIES` */
  cacheEntries: number;
  /** Number of simulated visits. Only the second half is counted. */
  visits: number;
}

/** A route as stored in the database. */
const route = {
  workspaceId: 'ws_1',
  linkId: 'lnk_1',
  qrId: null,
  via: 'link',
  url: 'https://www.example.com/',
  status: 'active',
  expiresAt: null,
  maxClicks: null,
  remaining: null,
  purgeAt: null,
} as const;

/**
 * Returns the hit rate (0 to 1) of the service's route cache in a simulation of Zipf-distributed visits.
 * Time is simulated too, so that entries expire as they would with `perSecond` visits per second.
 */
export async function simulatedHitRate({
  links,
  exponent,
  perSecond,
  cacheEntries,
  visits,
}: Simulation): Promise<number> {
  const fail = (error: unknown): never => {
    throw error;
  };
  const read = async (key: string) => ({ _id: key, ...route });
  const cache = new RouteCache({ read, maxEntries: cacheEntries, onDefect: fail });
  cache.setConnected(true);
  const drawRank = zipf(links, exponent, randomNumbers(1));
  const realNow = Date.now;
  let now = 0;
  Date.now = () => now;
  try {
    for (let i = 0; i < visits; i += 1) {
      if (i === Math.floor(visits / 2)) cache.hits = cache.misses = 0;
      now = Math.floor((i / perSecond) * 1_000);
      const key = `/${drawRank()}`;
      if (!cache.peek(key, now)) await cache.get(key);
    }
    return cache.hits / (cache.hits + cache.misses);
  } finally {
    Date.now = realNow;
  }
}
