import { Fifo } from '../store/fifo.js';

interface Entry {
  id: string;
  seq: number;
  time: number;
  stored: Promise<void>;
}

/** The message ids of the duplicate window. */
export class MessageIds {
  readonly #byId = new Map<string, Entry>();
  readonly #oldestFirst = new Fifo<Entry>();

  /** `window` in milliseconds. */
  constructor(public window: number) {}

  /** What was stored under this id within the window. */
  find(id: string, now: number): { seq: number; stored: Promise<void> } | undefined {
    this.#prune(now);
    return this.#byId.get(id);
  }

  /** Notes an id; `stored` settles when its message is on disk or is not going to be. */
  add(id: string, seq: number, time: number, stored: Promise<void> = Promise.resolve()): void {
    const entry = { id, seq, time, stored };
    this.#byId.set(id, entry);
    this.#oldestFirst.push(entry);
    // What could not be stored may be sent again.
    stored.catch(() => this.#forget(entry));
  }

  #prune(now: number): void {
    for (
      let first = this.#oldestFirst.first;
      first && first.time <= now - this.window;
      first = this.#oldestFirst.first
    ) {
      this.#oldestFirst.shift();
      this.#forget(first);
    }
  }

  /** The id may have been used again since. */
  #forget(entry: Entry): void {
    if (this.#byId.get(entry.id) === entry) this.#byId.delete(entry.id);
  }
}
