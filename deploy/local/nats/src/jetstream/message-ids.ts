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

  /** Returns the message with the given id, if it was published within the window. */
  find(id: string, now: number): { seq: number; stored: Promise<void> } | undefined {
    this.#prune(now);
    return this.#byId.get(id);
  }

  /** Adds an id. `stored` settles when its message has been written or the write has failed. */
  add(id: string, seq: number, time: number, stored: Promise<void> = Promise.resolve()): void {
    const entry = { id, seq, time, stored };
    this.#byId.set(id, entry);
    this.#oldestFirst.push(entry);
    // A message that could not be stored can be sent again.
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

  /** Removes an id that expired or whose message could not be stored, unless it has been reused. */
  #forget(entry: Entry): void {
    if (this.#byId.get(entry.id) === entry) this.#byId.delete(entry.id);
  }
}
