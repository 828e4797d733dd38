import { fail, type Upstream } from '@tautan/kit';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { fetchProvider } from './http.js';

/** Minimum interval between loads for unknown keys. */
const COOLDOWN_MS = 30_000;
/** Minimum interval between a failed load and the next one. */
const RETRY_MS = 2_000;
/** Age at which the set is reloaded in the background, so that withdrawn keys are removed. */
const STALE_MS = 600_000;

export interface KeySetOptions {
  jwksUri: () => Promise<URL>;
  upstream: Upstream;
  timeoutMs: number;
  /** Unix milliseconds. */
  now: () => number;
}

type RemoteSet = ReturnType<typeof createRemoteJWKSet>;

/**
 * The provider's signing keys (RFC 7517), in memory for the lifetime of the process, so that tokens with a known key
 * can be verified while the provider is unavailable.
 *
 * An unknown `kid` causes a reload, at most once in 30 s, because anyone can invent a `kid`. One more reload is allowed
 * if the previous load found a new key (or was the first), so that a rotation shortly after a load causes no false
 * rejection. Invented values cannot cause further reloads, because only the provider can add keys.
 */
export class KeySet {
  #remote: RemoteSet | undefined;
  #uri = '';
  #reading: Promise<void> | undefined;
  #known = new Set<string>();
  #readAt = 0;
  #failedAt = -Infinity;
  #foundNewKey = false;

  constructor(private readonly options: KeySetOptions) {}

  /**
   * Returns the key for a token's header. Rejects with jose's errors, or with UPSTREAM_UNAVAILABLE if the set cannot be
   * loaded.
   */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    if (!this.#remote?.jwks()) await this.#read();
    else if (this.#age() > STALE_MS && !this.#failing()) this.#read().catch(() => {});
    try {
      return await this.#remote!(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayRead()) throw error;
    }
    await this.#read();
    return this.#remote!(header, token);
  };

  /** Returns the milliseconds since a time, or Infinity if the clock was set back. */
  #since(moment: number): number {
    const elapsed = this.options.now() - moment;
    return elapsed < 0 ? Infinity : elapsed;
  }

  #age(): number {
    return this.#since(this.#readAt);
  }

  #failing(): boolean {
    return this.#since(this.#failedAt) < RETRY_MS;
  }

  #mayRead(): boolean {
    return this.#reading !== undefined || this.#age() >= COOLDOWN_MS || this.#foundNewKey;
  }

  #read(): Promise<void> {
    if (this.#failing()) {
      const message = "The identity provider's keys cannot be loaded. Try again in a moment.";
      return Promise.reject(fail('UPSTREAM_UNAVAILABLE', message, undefined, RETRY_MS / 1_000));
    }
    this.#reading ??= this.#load()
      .catch((error: unknown) => {
        this.#failedAt = this.options.now();
        throw error;
      })
      .finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #load(): Promise<void> {
    const { jwksUri, upstream, timeoutMs, now } = this.options;
    const uri = await jwksUri();
    // This class enforces the cool-down and the maximum age itself.
    const periods = { cooldownDuration: Infinity, cacheMaxAge: Infinity, timeoutDuration: timeoutMs };
    const remote =
      this.#remote && this.#uri === uri.href
        ? this.#remote
        : createRemoteJWKSet(uri, {
            ...periods,
            [customFetch]: (url: string, init: RequestInit) => fetchProvider(upstream, url, init),
          });
    await upstream.call('keys', () => remote.reload());
    // If the discovery document names another URI, the previous keys remain in use until the new ones are loaded.
    [this.#remote, this.#uri] = [remote, uri.href];
    const keys = new Set(remote.jwks()!.keys.map((key) => JSON.stringify([key.kid, key.n ?? key.x])));
    this.#foundNewKey = [...keys].some((key) => !this.#known.has(key));
    this.#known = keys;
    this.#readAt = now();
  }
}
