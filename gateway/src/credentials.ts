import { hash } from 'node:crypto';
import { fail, faultCode, type Fault } from '@tautan/kit';
import { LRUCache } from 'lru-cache';

/** For whom an API key speaks. */
export interface Credential {
  id: string;
  label: string;
  workspaceId: string;
  plan: string;
}

export interface CredentialsOptions {
  /** Asks the service that knows. Rejects with UNAUTHENTICATED for a key that is not valid. */
  verify(key: string, requestId: string): Promise<Credential>;
  /** Milliseconds on a clock that only goes forward. */
  now?: () => number;
}

const ENTRIES_MAX = 50_000;
const KNOWN_MS = 30_000;
const REFUSED_MS = 5_000;

/**
 * Verified API keys, remembered for at most 30 s (refusals 5 s) by the SHA-256 of the key. Of many requests with one
 * unknown key, one asks. While the workspaces service is away, what is remembered goes on until its time.
 */
export class Credentials {
  readonly #known: LRUCache<string, Credential | Fault>;
  readonly #hashes = new Map<string, string>();
  readonly #pending = new Map<string, Promise<Credential>>();
  /** Counts the drops: an answer that was under way during one is not remembered. */
  #epoch = 0;

  constructor(private readonly options: CredentialsOptions) {
    const { now } = options;
    this.#known = new LRUCache({
      max: ENTRIES_MAX,
      ...(now && { perf: { now }, ttlResolution: 0 }),
      dispose: (entry, digest) => {
        if ('workspaceId' in entry && this.#hashes.get(entry.id) === digest) this.#hashes.delete(entry.id);
      },
    });
  }

  /** What is remembered of a key: its credential, the fault it was refused with, or undefined. */
  remembered(key: string): Credential | Fault | undefined {
    return this.#known.get(digestOf(key));
  }

  /** Verifies a key. Rejects with UNAUTHENTICATED, or with what keeps the service from answering. */
  verify(key: string, requestId: string): Promise<Credential> {
    const digest = digestOf(key);
    const running = this.#pending.get(digest);
    if (running) return running;
    const asked = this.#ask(key, digest, requestId).finally(() => this.#pending.delete(digest));
    this.#pending.set(digest, asked);
    return asked;
  }

  /** Forgets keys by their ids, at once. */
  drop(apiKeyIds: readonly string[]): void {
    this.#epoch += 1;
    for (const id of apiKeyIds) {
      const digest = this.#hashes.get(id);
      if (digest !== undefined) this.#known.delete(digest);
    }
  }

  /** Forgets everything: messages may have been missed. */
  clear(): void {
    this.#epoch += 1;
    this.#known.clear();
    this.#hashes.clear();
  }

  async #ask(key: string, digest: string, requestId: string): Promise<Credential> {
    const epoch = this.#epoch;
    try {
      const { id, label, workspaceId, plan } = await this.options.verify(key, requestId);
      const credential = { id, label, workspaceId, plan };
      if (epoch === this.#epoch) {
        this.#known.set(digest, credential, { ttl: KNOWN_MS });
        this.#hashes.set(id, digest);
      }
      return credential;
    } catch (error) {
      if (faultCode(error) === 'UNAUTHENTICATED' && epoch === this.#epoch) {
        this.#known.set(digest, error as Fault, { ttl: REFUSED_MS });
      }
      throw error;
    }
  }
}

const digestOf = (key: string): string => hash('sha256', key, 'base64');

/** The fault of a request whose credential is missing or of no use. */
export const unauthenticated = (message: string): Fault => fail('UNAUTHENTICATED', message);
