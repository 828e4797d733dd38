import { copyString } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import type { Route } from './domain/route.js';
import { prepareRoute, type CachedRoute } from './cached-route.js';

export interface RouteCacheOptions {
  /** Reads an entry of the routing table; rejects while the database is away. */
  read(key: string): Promise<Route | null>;
  /** Most answers kept; one in ten on top for keys that nothing stands behind. */
  maxEntries: number;
  /** Called when an entry cannot be read although the database is there. */
  onDefect(error: unknown, key: string): void;
}

interface Flight {
  answer: Promise<CachedRoute>;
  /** The entry changed after the read began: what comes is not to be kept. */
  outdated: boolean;
}

const LIFE_MS = 300_000;
const MISSING_LIFE_MS = 30_000;
/** A hot link need not be moved to the front of the recently used at every visit. */
const RENEW_MS = 10_000;
/** Without the bus nobody tells of changes; and who counts down a limit tells nobody at all. A bit under 1 s: the read counts too. */
const UNTOLD_LIFE_MS = 900;

/**
 * The prepared answers, bounded by their number. While the bus is connected an answer lives 5 minutes (30 s when nothing
 * stands behind the key) and is dropped by those who change it; while it is not, and for limited links always, 1 s.
 * Everything from before a reconnect is read again. One read per key is under way at a time. What cannot be read again
 * is answered from what was last known.
 */
export class RouteCache {
  readonly #found: LRUCache<string, CachedRoute>;
  readonly #missing: LRUCache<string, CachedRoute>;
  readonly #flights = new Map<string, Flight>();
  /** Keys of codes by the link that they follow; some perhaps that are no longer cached. */
  readonly #codes: LRUCache<string, Set<string>>;
  #connected = false;
  #epoch = 0;
  hits = 0;
  misses = 0;

  constructor(private readonly options: RouteCacheOptions) {
    this.#found = new LRUCache({ max: options.maxEntries });
    this.#missing = new LRUCache({ max: Math.ceil(options.maxEntries / 10) });
    this.#codes = new LRUCache({ max: options.maxEntries });
  }

  get size(): number {
    return this.#found.size + this.#missing.size;
  }

  /** Tells whether changes are told. On a connection everything cached before counts as stale. */
  setConnected(connected: boolean): void {
    if (connected && !this.#connected) this.#epoch += 1;
    this.#connected = connected;
  }

  /** The answer of a key if it is known and fresh at `now` (Unix ms). */
  peek(key: string, now: number): CachedRoute | undefined {
    const cached = this.#found.peek(key) ?? this.#missing.peek(key);
    if (cached === undefined || !this.#isFresh(cached, now)) return undefined;
    this.hits += 1;
    if (now - cached.usedAt > RENEW_MS) this.#renew(key, cached, now);
    return cached;
  }

  /** Whether something stood behind a key when it was last read, fresh or not. */
  knows(key: string): boolean {
    return this.#found.has(key);
  }

  /** The last known answer of a key, fresh or not. */
  last(key: string): CachedRoute | undefined {
    return this.#found.peek(key) ?? this.#missing.peek(key);
  }

  /** The answer of a key: read now, or the last known one. Rejects when neither can be had. */
  async get(key: string): Promise<CachedRoute> {
    this.misses += 1;
    try {
      return await (this.#flights.get(key)?.answer ?? this.#fly(key));
    } catch (error) {
      const last = this.#found.get(key) ?? this.#missing.get(key);
      if (last) return last;
      throw error;
    }
  }

  /** Forgets keys, at once and for reads that are under way. */
  drop(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#found.delete(key);
      this.#missing.delete(key);
      const flight = this.#flights.get(key);
      if (flight) flight.outdated = true;
      this.#flights.delete(key);
    }
  }

  /** Forgets the QR codes that follow a link. */
  dropCodesOf(linkId: string): void {
    this.drop(this.#codes.get(linkId) ?? []);
    this.#codes.delete(linkId);
  }

  #recordCode(linkId: string, key: string): void {
    const codes = this.#codes.get(linkId);
    if (codes) codes.add(key);
    else this.#codes.set(linkId, new Set([key]));
  }

  #renew(key: string, answer: CachedRoute, now: number): void {
    answer.usedAt = now;
    (answer.state === 'missing' ? this.#missing : this.#found).get(key);
  }

  #isFresh({ state, limited, readAt, epoch }: CachedRoute, now: number): boolean {
    const age = now - readAt;
    // A clock that was set back makes nothing younger.
    if (age < 0) return false;
    if (!this.#connected || limited) return age < UNTOLD_LIFE_MS;
    return epoch === this.#epoch && age < (state === 'missing' ? MISSING_LIFE_MS : LIFE_MS);
  }

  #fly(key: string): Promise<CachedRoute> {
    const flight: Flight = { answer: this.#read(key, () => flight.outdated), outdated: false };
    this.#flights.set(key, flight);
    const land = (): void => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    };
    flight.answer.then(land, land);
    return flight.answer;
  }

  async #read(key: string, isOutdated: () => boolean): Promise<CachedRoute> {
    const readAt = Date.now();
    const epoch = this.#epoch;
    const route = await this.options.read(key);
    const answer = this.#prepare(key, route, readAt, epoch);
    if (isOutdated()) return answer;
    // The key of a request is a slice of its target, which it would keep in memory; the stored one stands alone.
    const [into, outOf] = answer.state === 'missing' ? [this.#missing, this.#found] : [this.#found, this.#missing];
    outOf.delete(key);
    into.set(route ? route._id : copyString(key), answer);
    if (route?.follows) this.#recordCode(route.linkId!, route._id);
    return answer;
  }

  #prepare(key: string, route: Route | null, readAt: number, epoch: number): CachedRoute {
    try {
      return prepareRoute(route, readAt, epoch);
    } catch (error) {
      this.options.onDefect(error, key);
      return prepareRoute(null, readAt, epoch);
    }
  }
}
