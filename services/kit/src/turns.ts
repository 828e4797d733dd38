/**
 * Lets what would only collide go one after the other: changes that count the same tags, say, all of which but one the
 * database would send back to begin anew. It keeps order within this process and promises nothing over others.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** `maxWaitMs`: nobody waits longer, so that work which hangs does not hold up a queue of callers. */
  constructor(private readonly maxWaitMs = 1_000) {}

  /** Runs `work` after what took a turn under this key before. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const own = (before ? this.#atMost(before) : Promise.resolve()).then(work);
    const over = own.catch(() => {});
    this.#last.set(key, over);
    try {
      return await own;
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key);
    }
  }

  async #atMost(before: Promise<unknown>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => (timer = setTimeout(resolve, this.maxWaitMs)));
    await Promise.race([before, enough]);
    clearTimeout(timer);
  }
}
