import type { Sealing } from '@tautan/kit';
import type { Endpoint } from '../domain/endpoint.js';
import { openSecrets } from '../domain/secrets.js';
import { Signer } from './signing.js';

/** Where deliveries go, and what signs them; or why they cannot go anywhere now. */
export type Target = { endpoint: Endpoint; signer: Signer } | 'gone' | 'off' | 'unreadable';

/** A change is told; this bounds what was not. */
const TTL_MS = 5_000;

/** An endpoint as it was last read, for a few seconds. */
export class TargetReader {
  #forgotten = 0;
  #known: { target: Exclude<Target, string>; readAt: number; expiresAt: number } | undefined;

  constructor(
    private readonly read: () => Promise<Endpoint | undefined>,
    private readonly sealing: Sealing,
    private readonly now: () => Date,
  ) {}

  forget(): void {
    this.#known = undefined;
    this.#forgotten += 1;
  }

  async current(): Promise<Target> {
    if (this.#known && this.#isFresh(this.#known)) return this.#known.target;
    const [readAt, forgotten] = [performance.now(), this.#forgotten];
    const target = this.#targetOf(await this.read());
    // What cannot be delivered to is looked at anew each time, and so is what changed during the look.
    const keep = typeof target !== 'string' && forgotten === this.#forgotten;
    this.#known = keep ? { target, readAt, expiresAt: this.#firstExpiry(target.endpoint) } : undefined;
    return target;
  }

  #isFresh({ readAt, expiresAt }: { readAt: number; expiresAt: number }): boolean {
    return performance.now() - readAt < TTL_MS && this.now().getTime() < expiresAt;
  }

  #targetOf(endpoint: Endpoint | undefined): Target {
    if (!endpoint) return 'gone';
    if (!endpoint.active) return 'off';
    const secrets = openSecrets(this.sealing, endpoint, this.now());
    return secrets ? { endpoint, signer: new Signer(secrets) } : 'unreadable';
  }

  /** When the first of the secrets that sign now no longer will, Unix milliseconds. Earlier ones stay with the endpoint. */
  #firstExpiry({ secrets }: Endpoint): number {
    const now = this.now().getTime();
    return Math.min(...secrets.map(({ expiresAt }) => expiresAt?.getTime() ?? Infinity).filter((at) => at > now));
  }
}
