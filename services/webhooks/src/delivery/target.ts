import type { Sealing } from '@tautan/kit';
import type { Endpoint } from '../domain/endpoint.js';
import { openSecrets } from '../domain/secrets.js';
import { Signer } from './signing.js';

/**
 * The endpoint and the signer of its deliveries, or why nothing can be delivered now. `unreadable`: a signing secret
 * cannot be decrypted.
 */
export type Target = { endpoint: Endpoint; signer: Signer } | 'deleted' | 'disabled' | 'unreadable';

/** Upper bound on staleness if an invalidation is lost. */
const TTL_MS = 5_000;

/** Reads the target of one endpoint, and caches it for up to `TTL_MS`, or until one of its signing secrets expires. */
export class TargetReader {
  #invalidations = 0;
  #known: { target: Exclude<Target, string>; readAt: number; expiresAt: number } | undefined;

  constructor(
    private readonly read: () => Promise<Endpoint | undefined>,
    private readonly sealing: Sealing,
    private readonly now: () => Date,
  ) {}

  invalidate(): void {
    this.#known = undefined;
    this.#invalidations += 1;
  }

  async current(): Promise<Target> {
    if (this.#known && this.#isFresh(this.#known)) return this.#known.target;
    const [readAt, invalidations] = [performance.now(), this.#invalidations];
    const target = this.#targetOf(await this.read());
    // Do not cache undeliverable targets, or a result that was invalidated while it was read.
    const keep = typeof target !== 'string' && invalidations === this.#invalidations;
    this.#known = keep ? { target, readAt, expiresAt: this.#nextExpiry(target.endpoint) } : undefined;
    return target;
  }

  #isFresh({ readAt, expiresAt }: { readAt: number; expiresAt: number }): boolean {
    return performance.now() - readAt < TTL_MS && this.now().getTime() < expiresAt;
  }

  #targetOf(endpoint: Endpoint | undefined): Target {
    if (!endpoint) return 'deleted';
    if (!endpoint.active) return 'disabled';
    const secrets = openSecrets(this.sealing, endpoint, this.now());
    return secrets ? { endpoint, signer: new Signer(secrets) } : 'unreadable';
  }

  /**
   * Returns when the next signing secret expires, in Unix milliseconds; Infinity if none does. Skips secrets that have
   * already expired, which remain stored.
   */
  #nextExpiry({ secrets }: Endpoint): number {
    const now = this.now().getTime();
    return Math.min(...secrets.map(({ expiresAt }) => expiresAt?.getTime() ?? Infinity).filter((at) => at > now));
  }
}
