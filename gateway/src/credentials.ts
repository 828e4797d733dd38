import { hash } from 'node:crypto';
import { faultCode, isFault, maxEntries, type Fault } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import type { Caller } from './callers.js';

/** A credential that a request presents, and the workspace id in X-Workspace-Id (empty if the header is absent). */
export interface PresentedCredential {
  kind: 'api_key' | 'user';
  secret: string;
  workspaceId: string;
}

export interface CredentialsOptions {
  /** Verifies a credential remotely. Rejects with UNAUTHENTICATED, TOKEN_EXPIRED or FORBIDDEN if it is invalid. */
  verify(credential: PresentedCredential, requestId: string): Promise<Caller>;
  /** Monotonic time, milliseconds. */
  now?: () => number;
  /** Milliseconds since 1970. */
  date?: () => number;
}

/** The result of a verification. */
interface Verified {
  found: Caller | Fault;
  /** Start of the verification, milliseconds by `now`. */
  startedAt: number;
}

const MAX_ENTRIES = 50_000;
const VERIFIED_TTL_MS = 30_000;
const REFUSAL_TTL_MS = 5_000;
/** Cache lifetime while invalidations may be lost: one second, less 100 ms for verifying the credential again. */
const UNTRUSTED_TTL_MS = 900;
const refusals = new Set(['UNAUTHENTICATED', 'TOKEN_EXPIRED', 'FORBIDDEN']);

/** Returns whether a fault means that a credential is invalid, as opposed to not verifiable at the moment. */
export const isRefusal = (error: unknown): boolean => refusals.has(faultCode(error) ?? '');

/** Returns whether verification failed because the credential is invalid or because the identity provider failed. */
export const isUnverified = (error: unknown): boolean =>
  isRefusal(error) || faultCode(error) === 'UPSTREAM_UNAVAILABLE';

/**
 * A cache of verification results, keyed by the credential's SHA-256 and, for users, the workspace. An entry is used
 * for at most 30 s (a refusal for 5 s), never beyond the credential's expiry, and for less than 1 s while invalidations
 * may be lost. Concurrent requests with the same unknown credential share one verification. While the workspaces
 * service is unavailable, entries are used until they expire.
 */
export class Credentials {
  readonly #known: LRUCache<string, Verified>;
  /** Keys of cache entries by user or API key id, by workspace id, and by the credential's digest, for invalidation. */
  readonly #cacheKeys = new Map<string, Set<string>>();
  readonly #pending = new Map<string, Promise<Caller>>();
  /** Number of invalidations: a verification that overlaps one is not cached. */
  #epoch = 0;
  #trusted = false;
  readonly #now: () => number;

  constructor(private readonly options: CredentialsOptions) {
    const { now } = options;
    this.#now = now ?? (() => performance.now());
    this.#known = new LRUCache({
      ...maxEntries(MAX_ENTRIES),
      ...(now && { perf: { now }, ttlResolution: 0 }),
      dispose: ({ found }, cacheKey) => this.#unlink(found, cacheKey),
    });
  }

  /** Returns the cached caller or refusal; undefined if there is none. */
  cached(credential: PresentedCredential): Caller | Fault | undefined {
    const verified = this.#known.get(cacheKeyOf(credential));
    if (!verified || (!this.#trusted && this.#now() - verified.startedAt >= UNTRUSTED_TTL_MS)) return undefined;
    return verified.found;
  }

  /** Sets whether invalidations arrive. When they resume, clears the cache, because some may have been lost. */
  setTrusted(trusted: boolean): void {
    if (trusted && !this.#trusted) this.clear();
    this.#trusted = trusted;
  }

  /** Verifies a credential. Rejects with a refusal if it is invalid, or with the fault that prevented verification. */
  verify(credential: PresentedCredential, requestId: string): Promise<Caller> {
    const cacheKey = cacheKeyOf(credential);
    const running = this.#pending.get(cacheKey);
    if (running) return running;
    const verification = this.#verifyAndCache(credential, cacheKey, requestId).finally(() => {
      if (this.#pending.get(cacheKey) === verification) this.#pending.delete(cacheKey);
    });
    this.#pending.set(cacheKey, verification);
    return verification;
  }

  /** Evicts all entries of the users, API keys or workspaces with these ids. */
  evictByIds(ids: readonly string[]): void {
    this.#discardPending();
    for (const id of ids) for (const cacheKey of [...(this.#cacheKeys.get(id) ?? [])]) this.#known.delete(cacheKey);
  }

  /** Evicts all entries of a credential, in all workspaces. */
  evictBySecret(secret: string): void {
    this.evictByIds([digestOf(secret)]);
  }

  /** Clears the cache. */
  clear(): void {
    this.#discardPending();
    this.#known.clear();
    this.#cacheKeys.clear();
  }

  /**
   * Prevents caching of verifications in progress, whose results may be stale. Requests that wait for the results still
   * receive them.
   */
  #discardPending(): void {
    this.#epoch += 1;
    this.#pending.clear();
  }

  async #verifyAndCache(credential: PresentedCredential, cacheKey: string, requestId: string): Promise<Caller> {
    const epoch = this.#epoch;
    const startedAt = this.#now();
    try {
      const caller = await this.options.verify(credential, requestId);
      if (epoch === this.#epoch)
        this.#remember(cacheKey, { found: caller, startedAt }, Math.min(VERIFIED_TTL_MS, this.#remainingMs(caller)));
      return caller;
    } catch (error) {
      if (isRefusal(error) && epoch === this.#epoch)
        this.#remember(cacheKey, { found: error as Fault, startedAt }, REFUSAL_TTL_MS);
      throw error;
    }
  }

  /** Returns the milliseconds until a caller's credential expires. */
  #remainingMs({ expiresAt }: Caller): number {
    return expiresAt === null ? Infinity : Date.parse(expiresAt) - (this.options.date ?? Date.now)();
  }

  #remember(cacheKey: string, verified: Verified, ttl: number): void {
    if (!(ttl > 0)) return;
    this.#known.set(cacheKey, verified, { ttl });
    for (const key of invalidationKeysOf(verified.found, cacheKey)) {
      const cacheKeys = this.#cacheKeys.get(key);
      if (cacheKeys) cacheKeys.add(cacheKey);
      else this.#cacheKeys.set(key, new Set([cacheKey]));
    }
  }

  #unlink(found: Caller | Fault, cacheKey: string): void {
    for (const key of invalidationKeysOf(found, cacheKey)) {
      const cacheKeys = this.#cacheKeys.get(key);
      cacheKeys?.delete(cacheKey);
      if (cacheKeys?.size === 0) this.#cacheKeys.delete(key);
    }
  }
}

const digestOf = (secret: string): string => hash('sha256', secret, 'base64');
/** Returns the key of a cache entry. An API key has one entry: its workspace does not depend on the request. */
const cacheKeyOf = ({ kind, secret, workspaceId }: PresentedCredential): string =>
  `${digestOf(secret)} ${kind === 'user' ? workspaceId : ''}`;

/** Returns the ids and the digest by which a cache entry can be invalidated. */
function invalidationKeysOf(found: Caller | Fault, cacheKey: string): string[] {
  const digest = cacheKey.slice(0, cacheKey.indexOf(' '));
  return isFault(found) ? [digest] : [digest, found.id, found.workspaceId];
}
