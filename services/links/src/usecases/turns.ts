/**
 * Lets what would only collide go one after the other: changes that count the same tags, say, all of which but one the
 * database would send back to begin anew. It keeps order within this process and promises nothing over others.
 */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs `work` after all that took a turn under this key before. */
  async take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const own = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const over = own.catch(() => {});
    this.#last.set(key, over);
    try {
      return await own;
    } finally {
      if (this.#last.get(key) === over) this.#last.delete(key);
    }
  }
}
