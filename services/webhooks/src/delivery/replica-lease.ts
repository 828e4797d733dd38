import { LeaseWatch, newUlid } from '@tautan/kit';
import type { ReplicaStore } from '../store/replicas.js';

export interface ReplicaLeaseOptions {
  /** Lifetime of a lease that is not renewed, milliseconds. */
  leaseMs: number;
  /** Identifier of this instance that survives restarts; null if there is none. */
  instance: string | null;
  monotonicMs?: () => number;
}

/**
 * The lease under which a replica owns queues: a counter that it increments and the other replicas watch
 * (`LeaseWatch`).
 */
export class ReplicaLease {
  #owner: string | undefined;
  #heldUntil = -Infinity;
  readonly #watch: LeaseWatch;
  readonly #monotonicMs: () => number;

  constructor(
    private readonly store: ReplicaStore,
    private readonly options: ReplicaLeaseOptions,
  ) {
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
    this.#watch = new LeaseWatch(options.leaseMs, this.#monotonicMs);
  }

  /** Owner id of the current lease; undefined before the first one. */
  get owner(): string | undefined {
    return this.#owner;
  }

  /** The owner id, if the lease is certainly still valid, so that no other replica can own this replica's queues. */
  get heldBy(): string | undefined {
    return this.#monotonicMs() < this.#heldUntil ? this.#owner : undefined;
  }

  /** Renews the lease. If another replica ended it, or there is none yet, acquires a new one and returns false. */
  async renew(): Promise<boolean> {
    const from = this.#monotonicMs();
    const renewed = this.#owner !== undefined && (await this.store.advance(this.#owner));
    if (!renewed) {
      const owner = newUlid();
      await this.store.register(owner, this.options.instance);
      this.#owner = owner;
    }
    this.#heldUntil = from + this.options.leaseMs;
    return renewed;
  }

  /** Ends the leases of replicas whose counters have stopped. Returns the owner ids of the remaining ones. */
  async endAbandoned(): Promise<Set<string>> {
    const beats = await this.store.beats();
    const remaining = new Set(beats.keys());
    for (const [id, beat] of this.#watch.stale(beats)) {
      if (id !== this.#owner && (await this.store.remove(id, beat))) remaining.delete(id);
    }
    return remaining;
  }

  /** Ends this replica's own lease. */
  async end(): Promise<void> {
    this.#heldUntil = -Infinity;
    if (this.#owner !== undefined) await this.store.remove(this.#owner);
  }
}
