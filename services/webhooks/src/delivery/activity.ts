/** How long a wake-up keeps a replica active: long enough to see which replica claims the queue. */
const ACTIVE_MS = 2_000;
/** Maximum time between two checks of an idle replica. Bounds the delay of work whose wake-up was lost. */
const MAX_CHECK_MS = 5_000;

/**
 * Decides when a replica polls. An active replica renews its lease, watches the others and polls for due queues, by
 * default twice a second. An idle replica only checks whether to become active: rarely, and when the next queue is due.
 */
export class Activity {
  #until = -Infinity;
  #checkAt = -Infinity;

  /** Whether the last wake-up is recent. */
  get isRecent(): boolean {
    return performance.now() < this.#until;
  }

  /** Whether it is time for an idle replica to check for work. */
  get isCheckDue(): boolean {
    return performance.now() >= this.#checkAt;
  }

  wake(): void {
    this.#until = performance.now() + ACTIVE_MS;
    this.#checkAt = -Infinity;
  }

  /** Schedules the next check of an idle replica for when the next queue is due, but at most 5 s from now. */
  checkAgain(dueInMs = Infinity): void {
    this.#checkAt = performance.now() + Math.min(dueInMs, MAX_CHECK_MS);
  }
}
