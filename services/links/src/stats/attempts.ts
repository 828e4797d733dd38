import { LRUCache } from 'lru-cache';

/**
 * Tells which failures end a message. The deliveries that the stream counts are no measure where a database is involved:
 * a message is also delivered again after every time that it was away.
 */
export class Attempts {
  readonly #failures = new LRUCache<string, number>({ max: 1_000 });
  readonly #final = new WeakSet<object>();

  constructor(
    private readonly most: number,
    private readonly isTransient: (error: unknown) => boolean,
  ) {}

  /** Marks an error as the message's own fault, whoever tries it. */
  condemn<E extends Error>(error: E): E {
    this.#final.add(error);
    return error;
  }

  /** Runs one attempt at a message (by an id of its own: a restored stream uses its sequences again), noting how it ended. */
  async run(id: string, attempt: () => Promise<void>): Promise<void> {
    try {
      await attempt();
      this.#failures.delete(id);
    } catch (error) {
      if (!this.isTransient(error) && this.deservesMore(error)) this.#note(id, error);
      throw error;
    }
  }

  /** Whether a message that failed so deserves another chance, however often it was delivered. */
  readonly deservesMore = (error: unknown): boolean => !this.#final.has(error as object);

  #note(id: string, error: unknown): void {
    const failures = (this.#failures.get(id) ?? 0) + 1;
    this.#failures.set(id, failures);
    if (failures >= this.most) this.#final.add(error as object);
  }
}
