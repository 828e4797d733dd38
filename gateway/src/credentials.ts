import { hash } from 'node:crypto';
import { faultCode, isFault, type Fault } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import type { Caller } from './callers.js';

/** What somebody showed, and the workspace that they name (empty: none). */
export interface Shown {
  kind: 'api_key' | 'person';
  secret: string;
  workspaceId: string;
}

export interface CredentialsOptions {
  /** Asks the service that knows. Rejects with UNAUTHENTICATED, TOKEN_EXPIRED or FORBIDDEN for what it refuses. */
  verify(shown: Shown, requestId: string): Promise<Caller>;
  /** Milliseconds on a clock that only goes forward. */
  now?: () => number;
  /** Milliseconds since 1970. */
  date?: () => number;
}

/** The outcome of a verification. */
interface Verified {
  found: Caller | Fault;
  /** When it began, milliseconds on the clock of `now`. */
  askedAt: number;
}

const ENTRIES_MAX = 50_000;
const KNOWN_MS = 30_000;
const REFUSED_MS = 5_000;
/** Lifetime without invalidations. Shorter than 1 s, because verification takes time as well. */
const UNTRUSTED_MS = 900;
const refusals = new Set(['UNAUTHENTICATED', 'TOKEN_EXPIRED', 'FORBIDDEN']);

/** Whether a fault says that a credential is of no use, as opposed to that nobody could tell. */
export const isRefusal = (error: unknown): boolean => refusals.has(faultCode(error) ?? '');

/** Whether a fault stands for a credential that took work and proved nothing: of no use, or the identity provider failed on it. */
export const isUnverified = (error: unknown): boolean =>
  isRefusal(error) || faultCode(error) === 'UPSTREAM_UNAVAILABLE';

/**
 * For whom credentials speak, remembered for at most 30 s (refusals 5 s), and never beyond the credential's own end, by
 * SHA-256 and workspace; for less than 1 s while invalidations may be missed. Of many requests with one unknown
 * credential, one asks. While the workspaces service is away, what is remembered goes on until its time.
 */
export class Credentials {
  readonly #known: LRUCache<string, Verified>;
  /** Entries by what they can be forgotten by: the id of the person or key, of the workspace, and the credential's digest. */
  readonly #entries = new Map<string, Set<string>>();
  readonly #pending = new Map<string, Promise<Caller>>();
  /** Counts the drops: an answer that was under way during one is not remembered. */
  #epoch = 0;
  #trusted = false;
  readonly #now: () => number;

  constructor(private readonly options: CredentialsOptions) {
    const { now } = options;
    this.#now = now ?? (() => performance.now());
    this.#known = new LRUCache({
      max: ENTRIES_MAX,
      ...(now && { perf: { now }, ttlResolution: 0 }),
      dispose: ({ found }, entry) => this.#unlink(found, entry),
    });
  }

  /** What is remembered: the caller, the fault of the refusal, or undefined. */
  remembered(shown: Shown): Caller | Fault | undefined {
    const verified = this.#known.get(entryOf(shown));
    if (!verified || (!this.#trusted && this.#now() - verified.askedAt >= UNTRUSTED_MS)) return undefined;
    return verified.found;
  }

  /** Sets whether invalidations arrive. When they do again, everything is forgotten: some may have been missed. */
  setTrusted(trusted: boolean): void {
    if (trusted && !this.#trusted) this.clear();
    this.#trusted = trusted;
  }

  /** Finds out for whom a credential speaks. Rejects with its refusal, or with what keeps the service from answering. */
  verify(shown: Shown, requestId: string): Promise<Caller> {
    const entry = entryOf(shown);
    const running = this.#pending.get(entry);
    if (running) return running;
    const asked = this.#ask(shown, entry, requestId).finally(() => {
      if (this.#pending.get(entry) === asked) this.#pending.delete(entry);
    });
    this.#pending.set(entry, asked);
    return asked;
  }

  /** Forgets all that speaks for these people and keys, or in these workspaces, at once. */
  drop(ids: readonly string[]): void {
    this.#outdate();
    for (const id of ids) for (const entry of [...(this.#entries.get(id) ?? [])]) this.#known.delete(entry);
  }

  /** Forgets a credential at once, for whichever workspace it was shown. */
  forget(secret: string): void {
    this.drop([digestOf(secret)]);
  }

  /** Forgets everything. */
  clear(): void {
    this.#outdate();
    this.#known.clear();
    this.#entries.clear();
  }

  /** What is being asked now may be out of date when it is answered: it serves those who wait, and nobody after them. */
  #outdate(): void {
    this.#epoch += 1;
    this.#pending.clear();
  }

  async #ask(shown: Shown, entry: string, requestId: string): Promise<Caller> {
    const epoch = this.#epoch;
    const askedAt = this.#now();
    try {
      const caller = await this.options.verify(shown, requestId);
      if (epoch === this.#epoch)
        this.#remember(entry, { found: caller, askedAt }, Math.min(KNOWN_MS, this.#left(caller)));
      return caller;
    } catch (error) {
      if (isRefusal(error) && epoch === this.#epoch)
        this.#remember(entry, { found: error as Fault, askedAt }, REFUSED_MS);
      throw error;
    }
  }

  /** Milliseconds until a caller's credential ends by itself. */
  #left({ expiresAt }: Caller): number {
    return expiresAt === null ? Infinity : Date.parse(expiresAt) - (this.options.date ?? Date.now)();
  }

  #remember(entry: string, verified: Verified, ttl: number): void {
    if (!(ttl > 0)) return;
    this.#known.set(entry, verified, { ttl });
    for (const name of namesOf(verified.found, entry)) {
      const entries = this.#entries.get(name);
      if (entries) entries.add(entry);
      else this.#entries.set(name, new Set([entry]));
    }
  }

  #unlink(found: Caller | Fault, entry: string): void {
    for (const name of namesOf(found, entry)) {
      const entries = this.#entries.get(name);
      entries?.delete(entry);
      if (entries?.size === 0) this.#entries.delete(name);
    }
  }
}

const digestOf = (secret: string): string => hash('sha256', secret, 'base64');
/** A key speaks for its own workspace, whichever one is named. */
const entryOf = ({ kind, secret, workspaceId }: Shown): string =>
  `${digestOf(secret)} ${kind === 'person' ? workspaceId : ''}`;

function namesOf(found: Caller | Fault, entry: string): string[] {
  const digest = entry.slice(0, entry.indexOf(' '));
  return isFault(found) ? [digest] : [digest, found.id, found.workspaceId];
}
