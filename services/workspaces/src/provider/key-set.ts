import { fail, type Upstream } from '@tautan/kit';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { fetchProvider } from './http.js';

/** Shortest time between two readings for keys that nobody knows. */
const COOLDOWN_MS = 30_000;
/** Shortest time between two readings while they fail. */
const RETRY_MS = 2_000;
/** Age from which the set is read again in the background, so that keys which the provider withdrew end here too. */
const STALE_MS = 600_000;

export interface KeySetOptions {
  jwksUri: () => Promise<URL>;
  upstream: Upstream;
  timeoutMs: number;
  /** Milliseconds since 1970. */
  now: () => number;
}

type RemoteSet = ReturnType<typeof createRemoteJWKSet>;

/**
 * The provider's signing keys (RFC 7517), in memory for as long as the process lives: tokens signed by a known key verify
 * while the provider is away.
 *
 * An unknown `kid` makes the set be read again, at most once in 30 s, however many tokens show one: anybody can make up a
 * `kid`. One reading more is allowed when the one before brought a new key (or was the first): a rotation shortly after a
 * reading then causes no false refusal, and as only the provider can add keys, made-up ones never earn a second reading.
 */
export class KeySet {
  #remote: RemoteSet | undefined;
  #reading: Promise<void> | undefined;
  #known = new Set<string>();
  #readAt = 0;
  #failedAt = -Infinity;
  #broughtNew = false;

  constructor(private readonly options: KeySetOptions) {}

  /** The key for a token's header. Rejects with jose's errors, or with UPSTREAM_UNAVAILABLE when the set cannot be read. */
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

  /** Milliseconds since a moment; a clock that was put back counts as long ago. */
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
    return this.#reading !== undefined || this.#age() >= COOLDOWN_MS || this.#broughtNew;
  }

  #read(): Promise<void> {
    if (this.#failing()) {
      const message = 'The identity provider’s keys cannot be read just now.';
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
    // Both periods are ours to keep, above.
    const periods = { cooldownDuration: Infinity, cacheMaxAge: Infinity, timeoutDuration: timeoutMs };
    const remote = (this.#remote ??= createRemoteJWKSet(uri, { ...periods, [customFetch]: fetchProvider }));
    await upstream.call('keys', () => remote.reload());
    const kids = new Set(remote.jwks()!.keys.map((key) => JSON.stringify([key.kid, key.n ?? key.x])));
    this.#broughtNew = [...kids].some((kid) => !this.#known.has(kid));
    this.#known = kids;
    this.#readAt = now();
  }
}
