import { LRUCache } from 'lru-cache';

/**
 * Counts the failures that are a message's own. The deliveries that the stream counts are no measure of them: a message
 * is also delivered again after every time that the database was away.
 */
export class Attempts {
  readonly #failures = new LRUCache<number, number>({ max: 1_000 });
  readonly #exhausted = new WeakSet<object>();

  constructor(
    private readonly most: number,
    private readonly isTransient: (error: unknown) => boolean,
  ) {}

  /** Runs one attempt at a message (by its sequence in the stream), noting how it ended. */
  async run(sequence: number, attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt();
      this.#failures.delete(sequence);
    } catch (error) {
      if (!this.isTransient(error)) this.#note(sequence, error);
      throw error;
    }
  }

  /** Whether an error that `run` rejected with was not the message's last chance. */
  readonly deservesMore = (error: unknown): boolean => !this.#exhausted.has(error as object);

  #note(sequence: number, error: unknown): void {
    const failures = (this.#failures.get(sequence) ?? 0) + 1;
    this.#failures.set(sequence, failures);
    if (failures >= this.most) this.#exhausted.add(error as object);
  }
}
