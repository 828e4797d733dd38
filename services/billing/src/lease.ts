import { randomUUID } from 'node:crypto';
import type { LeaseStore } from './store/leases.js';

/**
 * A lease for work that only one replica does at a time. It does not depend on wall clocks: the owner increments a
 * counter (`beat`), and another replica takes over once it has seen no increment for `ttlMs` by its own monotonic
 * clock.
 */
export class Lease {
  readonly #owner = randomUUID();
  /** The last counter value that was read, and the monotonic time at which it was first read, milliseconds. */
  #seen = { beat: -1, at: 0 };

  constructor(
    private readonly store: LeaseStore,
    private readonly name: string,
    private readonly ttlMs: number,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** Acquires or renews the lease. Returns whether this replica holds it. Call again well within `ttlMs` to keep it. */
  async hold(): Promise<boolean> {
    const found = await this.store.read(this.name);
    if (found && found.owner !== this.#owner && !this.#isAbandoned(found.beat)) return false;
    return this.store.take(this.name, this.#owner, found?.beat);
  }

  #isAbandoned(beat: number): boolean {
    if (beat !== this.#seen.beat) this.#seen = { beat, at: this.monotonicMs() };
    return this.monotonicMs() - this.#seen.at >= this.ttlMs;
  }
}
