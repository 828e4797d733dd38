import { copyString, maxEntries } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import type { Route } from './domain/route.js';
import { prepareRoute, type CachedRoute } from './cached-route.js';

export interface RouteCacheOptions {
  /** Reads an entry of the routing table; rejects while the database is unavailable. */
  read(key: string): Promise<Route | null>;
  /** Maximum number of cached routes. In addition, one tenth as many missing keys are cached. */
  maxEntries: number;
  /** Called if an entry is invalid. */
  onDefect(error: unknown, key: string): void;
}

interface PendingRead {
  result: Promise<CachedRoute>;
  /** The entry changed after the read started, so the result must not be cached. */
  outdated: boolean;
  /** Links that changed after the read started. If the entry is a QR code of one of them, it is outdated. */
  changedLinks: Set<string>;
}

const TTL_MS = 300_000;
const MISSING_TTL_MS = 30_000;
/** Minimum time between two updates of an entry's position in the LRU order, milliseconds. */
const LRU_UPDATE_MS = 10_000;
/**
 * Maximum age without invalidations: while the bus is disconnected, and for limited links, because a visit that uses up
 * part of the limit invalidates nothing. Slightly under 1 s, because the read takes time as well.
 */
const MAX_STALE_MS = 900;

/**
 * A bounded cache of prepared routes. While the bus is connected, a route is cached for 5 minutes (30 s if the key is
 * missing) and invalidated when it changes. While the bus is disconnected, it is cached for just under 1 s, and so is
 * the route of a limited link at any time. After a reconnect, everything is read again. Reads of the same key are
 * shared. If a read fails, the last known route is used.
 */
export class RouteCache {
  readonly #found: LRUCache<string, CachedRoute>;
  readonly #missing: LRUCache<string, CachedRoute>;
  readonly #pendingReads = new Map<string, PendingRead>();
  /** Keys of QR codes by link id; some may no longer be cached. */
  readonly #codes: LRUCache<string, Set<string>>;
  #connected = false;
  #epoch = 0;
  hits = 0;
  misses = 0;

  constructor(private readonly options: RouteCacheOptions) {
    this.#found = new LRUCache(maxEntries(options.maxEntries));
    this.#missing = new LRUCache(maxEntries(Math.ceil(options.maxEntries / 10)));
    this.#codes = new LRUCache(maxEntries(options.maxEntries));
  }

  get size(): number {
    return this.#found.size + this.#missing.size;
  }

  /** Sets whether invalidations are received. After a reconnect, everything cached before is stale. */
  setConnected(connected: boolean): void {
    if (connected && !this.#connected) this.#epoch += 1;
    this.#connected = connected;
  }

  /**
   * Returns the route of a key if it is cached and fresh at `now` (Unix ms). Counts a hit and marks the entry as used,
   * unlike `peek` of an LRU cache.
   */
  peek(key: string, now: number): CachedRoute | undefined {
    const cached = this.#found.peek(key) ?? this.#missing.peek(key);
    if (cached === undefined || !this.#isFresh(cached, now)) return undefined;
    this.hits += 1;
    if (now - cached.usedAt > LRU_UPDATE_MS) this.#markUsed(key, cached, now);
    return cached;
  }

  /** Returns whether an existing route is cached for a key, fresh or not. */
  knows(key: string): boolean {
    return this.#found.has(key);
  }

  /** Returns the cached entry of a key, fresh or not, even one with the state `missing`. */
  last(key: string): CachedRoute | undefined {
    return this.#found.peek(key) ?? this.#missing.peek(key);
  }

  /**
   * Reads the route of a key, or returns the last known one. Rejects if neither is available. Counts a miss: call it
   * only after `peek` returned undefined.
   */
  async get(key: string): Promise<CachedRoute> {
    this.misses += 1;
    try {
      return await (this.#pendingReads.get(key)?.result ?? this.#load(key));
    } catch (error) {
      const last = this.#found.get(key) ?? this.#missing.get(key);
      if (last) return last;
      throw error;
    }
  }

  /** Invalidates keys, including those that are being read. */
  drop(keys: Iterable<string>): void {
    for (const key of keys) {
      this.#found.delete(key);
      this.#missing.delete(key);
      const pending = this.#pendingReads.get(key);
      if (pending) pending.outdated = true;
      this.#pendingReads.delete(key);
    }
  }

  /** Invalidates the QR codes of a link. */
  dropCodesOf(linkId: string): void {
    this.drop(this.#codes.get(linkId) ?? []);
    this.#codes.delete(linkId);
    // A code that is being read may not be in `#codes` yet.
    for (const pending of this.#pendingReads.values()) pending.changedLinks.add(linkId);
  }

  #recordCode(linkId: string, key: string): void {
    const codes = this.#codes.get(linkId);
    if (codes) codes.add(key);
    else this.#codes.set(linkId, new Set([key]));
  }

  #markUsed(key: string, route: CachedRoute, now: number): void {
    route.usedAt = now;
    (route.state === 'missing' ? this.#missing : this.#found).get(key);
  }

  #isFresh({ state, limited, readAt, epoch }: CachedRoute, now: number): boolean {
    const age = now - readAt;
    // If the clock was set back, the age is unknown.
    if (age < 0) return false;
    if (!this.#connected || limited) return age < MAX_STALE_MS;
    return epoch === this.#epoch && age < (state === 'missing' ? MISSING_TTL_MS : TTL_MS);
  }

  #load(key: string): Promise<CachedRoute> {
    const isOutdated = (route: Route | null): boolean =>
      pending.outdated || (!!route?.follows && pending.changedLinks.has(route.linkId!));
    const pending: PendingRead = { result: this.#read(key, isOutdated), outdated: false, changedLinks: new Set() };
    this.#pendingReads.set(key, pending);
    const settle = (): void => {
      if (this.#pendingReads.get(key) === pending) this.#pendingReads.delete(key);
    };
    pending.result.then(settle, settle);
    return pending.result;
  }

  async #read(key: string, isOutdated: (route: Route | null) => boolean): Promise<CachedRoute> {
    const readAt = Date.now();
    const epoch = this.#epoch;
    const route = await this.options.read(key);
    const prepared = this.#prepare(key, route, readAt, epoch);
    if (isOutdated(route)) return prepared;
    const [into, outOf] = prepared.state === 'missing' ? [this.#missing, this.#found] : [this.#found, this.#missing];
    outOf.delete(key);
    // The key of a request is a slice of its target. Caching the slice would keep the whole target in memory.
    into.set(route ? route._id : copyString(key), prepared);
    if (route?.follows) this.#recordCode(route.linkId!, route._id);
    return prepared;
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
