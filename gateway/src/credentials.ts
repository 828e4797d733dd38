import { hash } from 'node:crypto';
import { faultCode, isFault, type Fault } from '@tautan/kit';
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
/** Cache lifetime while invalidations may be lost. Shorter than 1 s, because verification takes time as well. */
const UNTRUSTED_TTL_MS = 900;
const refusals = new Set(['UNAUTHENTICATED', 'TOKEN_EXPIRED', 'FORBIDDEN']);

/** Returns whether a fault means that a credential is invalid, as opposed to not verifiable at the moment. */
export const isRefusal = (error: unknown): boolean => refusals.has(faultCode(error) ?? '');

/** Returns whether verification failed because the credential is invalid or because the identity provider failed. */
export const isUnverified = (error: unknown): boolean =>
  isRefusal(error) || faultCode(error) === 'UPSTREAM_UNAVAILABLE';

/**
 * A cache of verified credentials by SHA-256 and workspace, for at most 30 s (refusals 5 s) and never beyond the
 * credential's expiry; for less than 1 s while invalidations may be lost. Concurrent requests with the same unknown
 * credential share one verification. While the workspaces service is unavailable, entries are used until they expire.
 */
export class Credentials {
  readonly #known: LRUCache<string, Verified>;
  /** Keys of cache entries by user or API key id, by workspace id, and by the credential's digest, for invalidation. */
  readonly #entries = new Map<string, Set<string>>();
  readonly #pending = new Map<string, Promise<Caller>>();
  /** Number of invalidations: a verification that overlaps one is not cached. */
  #epoch = 0;
  #trusted = false;
  readonly #now: () => number;

  constructor(private readonly options: CredentialsOptions) {
    const { now } = options;
    this.#now = now ?? (() => performance.now());
    this.#known = new LRUCache({
      max: MAX_ENTRIES,
      ...(now && { perf: { now }, ttlResolution: 0 }),
      dispose: ({ found }, entry) => this.#unlink(found, entry),
    });
  }

  /** Returns the cached caller or refusal; undefined if there is none. */
  cached(credential: PresentedCredential): Caller | Fault | undefined {
    const verified = this.#known.get(entryOf(credential));
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
    const entry = entryOf(credential);
    const running = this.#pending.get(entry);
    if (running) return running;
    const verification = this.#verifyAndCache(credential, entry, requestId).finally(() => {
      if (this.#pending.get(entry) === verification) this.#pending.delete(entry);
    });
    this.#pending.set(entry, verification);
    return verification;
  }

  /** Evicts all entries of the users, API keys or workspaces with these ids. */
  evictByIds(ids: readonly string[]): void {
    this.#discardPending();
    for (const id of ids) for (const entry of [...(this.#entries.get(id) ?? [])]) this.#known.delete(entry);
  }

  /** Evicts all entries of a credential, in all workspaces. */
  evictBySecret(secret: string): void {
    this.evictByIds([digestOf(secret)]);
  }

  /** Clears the cache. */
  clear(): void {
    this.#discardPending();
    this.#known.clear();
    this.#entries.clear();
  }

  /** Prevents caching of verifications in progress, whose results may be stale. Their callers still receive them. */
  #discardPending(): void {
    this.#epoch += 1;
    this.#pending.clear();
  }

  async #verifyAndCache(credential: PresentedCredential, entry: string, requestId: string): Promise<Caller> {
    const epoch = this.#epoch;
    const startedAt = this.#now();
    try {
      const caller = await this.options.verify(credential, requestId);
      if (epoch === this.#epoch)
        this.#remember(entry, { found: caller, startedAt }, Math.min(VERIFIED_TTL_MS, this.#remainingMs(caller)));
      return caller;
    } catch (error) {
      if (isRefusal(error) && epoch === this.#epoch)
        this.#remember(entry, { found: error as Fault, startedAt }, REFUSAL_TTL_MS);
      throw error;
    }
  }

  /** Returns the milliseconds until a caller's credential expires. */
  #remainingMs({ expiresAt }: Caller): number {
    return expiresAt === null ? Infinity : Date.parse(expiresAt) - (this.options.date ?? Date.now)();
  }

  #remember(entry: string, verified: Verified, ttl: number): void {
    if (!(ttl > 0)) return;
    this.#known.set(entry, verified, { ttl });
    for (const key of invalidationKeysOf(verified.found, entry)) {
      const entries = this.#entries.get(key);
      if (entries) entries.add(entry);
      else this.#entries.set(key, new Set([entry]));
    }
  }

  #unlink(found: Caller | Fault, entry: string): void {
    for (const key of invalidationKeysOf(found, entry)) {
      const entries = this.#entries.get(key);
      entries?.delete(entry);
      if (entries?.size === 0) this.#entries.delete(key);
    }
  }
}

const digestOf = (secret: string): string => hash('sha256', secret, 'base64');
/** Returns the key of a cache entry. An API key has one entry: its workspace does not depend on the request. */
const entryOf = ({ kind, secret, workspaceId }: PresentedCredential): string =>
  `${digestOf(secret)} ${kind === 'user' ? workspaceId : ''}`;

/** Returns the ids and the digest by which a cache entry can be invalidated. */
function invalidationKeysOf(found: Caller | Fault, entry: string): string[] {
  const digest = entry.slice(0, entry.indexOf(' '));
  return isFault(found) ? [digest] : [digest, found.id, found.workspaceId];
}
