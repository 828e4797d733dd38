import { newUlid } from '@tautan/kit';
import type { ReplicaStore } from '../store/replicas.js';

export interface ReplicaLeaseOptions {
  /** Lifetime of a lease that is not renewed, milliseconds. */
  leaseMs: number;
  /** Identifies this instance across restarts; null if nothing does. */
  instance: string | null;
  monotonicMs?: () => number;
}

/**
 * The lease under which a replica owns queues. No wall clock takes part: the replica increments a counter, and others end its
 * lease once they have seen no increment for `leaseMs` of their own monotonic clocks. The replica itself counts from the
 * start of its last increment, and so considers its lease lost before any other replica does.
 */
export class ReplicaLease {
  #owner: string | undefined;
  #heldUntil = -Infinity;
  #seen = new Map<string, { beat: number; since: number }>();
  #lookedAt = -Infinity;
  readonly #monotonicMs: () => number;

  constructor(
    private readonly store: ReplicaStore,
    private readonly options: ReplicaLeaseOptions,
  ) {
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
  }

  /** Owner id of the current lease; undefined before the first one. */
  get owner(): string | undefined {
    return this.#owner;
  }

  /** Whether no other replica can have taken over. */
  get held(): boolean {
    return this.#monotonicMs() < this.#heldUntil;
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

  /** Ends the leases of replicas whose counters stand still. */
  async endAbandoned(): Promise<void> {
    const { leaseMs } = this.options;
    const beats = await this.store.beats();
    const at = this.#monotonicMs();
    // Without a database, or while this process was paused, nobody saw whether the counters advanced.
    const observed = at - this.#lookedAt < leaseMs / 2;
    this.#lookedAt = at;
    const seen = new Map(
      [...beats].map(([id, beat]) => {
        const before = observed ? this.#seen.get(id) : undefined;
        return [id, before?.beat === beat ? before : { beat, since: at }];
      }),
    );
    this.#seen = seen;
    for (const [id, { beat, since }] of seen) {
      if (id !== this.#owner && at - since >= leaseMs) await this.store.remove(id, beat);
    }
  }

  /** Ends this replica's own lease. */
  async end(): Promise<void> {
    this.#heldUntil = -Infinity;
    if (this.#owner !== undefined) await this.store.remove(this.#owner);
  }
}
