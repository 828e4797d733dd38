/** The message ids of the duplicate window, oldest first. */
export class MessageIds {
  readonly #seen = new Map<string, { seq: number; time: number; stored: Promise<void> }>();

  /** `window` in milliseconds. */
  constructor(public window: number) {}

  /** What was stored under this id within the window. */
  find(id: string, now: number): { seq: number; stored: Promise<void> } | undefined {
    this.#prune(now);
    return this.#seen.get(id);
  }

  /** Notes an id; `stored` settles when its message is on disk or is not going to be. */
  add(id: string, seq: number, time: number, stored: Promise<void> = Promise.resolve()): void {
    this.#seen.delete(id);
    this.#seen.set(id, { seq, time, stored });
    // What could not be stored may be sent again.
    stored.catch(() => this.#seen.delete(id));
  }

  #prune(now: number): void {
    for (const [id, { time }] of this.#seen) {
      if (time > now - this.window) return;
      this.#seen.delete(id);
    }
  }
}
