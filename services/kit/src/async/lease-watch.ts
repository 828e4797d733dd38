/**
 * Finds leases whose holder has stopped renewing them. Wall clocks are not used. Each lease has a beat: a value, such
 * as a counter, that changes whenever the lease is renewed or acquired again. A lease is stale once its beat has not
 * changed for `leaseMs` of the observer's monotonic clock. A holder that counts `leaseMs` from the start of its last
 * successful renewal considers its lease lost before any observer does.
 */
export class LeaseWatch<Beat extends number | string = number> {
  #seen = new Map<string, { beat: Beat; since: number }>();
  #readAt = -Infinity;

  constructor(
    private readonly leaseMs: number,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /**
   * Returns the stale leases with their beats. `beats` are the beats of all leases, as just read. Call this at
   * intervals shorter than half of `leaseMs`: after a longer gap, no lease is stale until its beat has been observed
   * for `leaseMs` again. Before ending a lease, make sure that its beat still has the returned value.
   */
  stale(beats: ReadonlyMap<string, Beat>): Map<string, Beat> {
    const at = this.monotonicMs();
    // While the database was unavailable or this process was paused, changes of the beats may have been missed.
    const observed = at - this.#readAt < this.leaseMs / 2;
    this.#readAt = at;
    const seen = new Map<string, { beat: Beat; since: number }>();
    const stale = new Map<string, Beat>();
    for (const [id, beat] of beats) {
      const before = observed ? this.#seen.get(id) : undefined;
      const now = before?.beat === beat ? before : { beat, since: at };
      seen.set(id, now);
      if (at - now.since >= this.leaseMs) stale.set(id, beat);
    }
    this.#seen = seen;
    return stale;
  }
}
