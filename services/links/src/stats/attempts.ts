import { LRUCache } from 'lru-cache';

/**
 * Decides when a failing message is dead-lettered. Delivery counts of the stream are not suitable: messages are also
 * redelivered after each outage of the database.
 */
export class Attempts {
  readonly #failures = new LRUCache<string, number>({ max: 1_000 });
  readonly #permanent = new WeakSet<object>();

  constructor(
    private readonly maxFailures: number,
    private readonly isTransient: (error: unknown) => boolean,
  ) {}

  /** Marks an error as permanent. */
  markPermanent<E extends Error>(error: E): E {
    this.#permanent.add(error);
    return error;
  }

  /**
   * Runs one attempt. Counts a failure unless its error is transient or marked as permanent. `id` identifies the
   * message; sequence numbers do not, because a restored stream reuses them.
   */
  async run(id: string, attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt();
      this.#failures.delete(id);
    } catch (error) {
      if (!this.isTransient(error) && this.mustRetry(error)) this.#recordFailure(id, error);
      throw error;
    }
  }

  /**
   * Returns whether a message that failed with this error must be retried, however often it was delivered. If not, it
   * becomes a dead letter after the consumer's maximum number of deliveries.
   */
  readonly mustRetry = (error: unknown): boolean => !this.#permanent.has(error as object);

  #recordFailure(id: string, error: unknown): void {
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    if (failures >= this.maxFailures) this.#permanent.add(error as object);
  }
}
