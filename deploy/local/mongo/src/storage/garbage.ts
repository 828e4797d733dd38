import { recordKeysOf } from './catalog.js';
import type { Database } from './database.js';
import { prefixOf, successor } from './keys.js';

export const NO_BYTES = Buffer.alloc(0);

/** Returns the key of the record that schedules the removal of all records with a prefix. */
export const garbageKey = (prefix: string): string => prefixOf('garbage') + prefix;

/** Records are removed in steps of this size, between which other commands run. */
const STEP_BYTES = 128 * 1024;

/**
 * Removes the records of dropped collections and indexes in the background, including those that an earlier process
 * left.
 */
export class Garbage {
  /** Resolves when the removals so far have ended. Those that failed or were aborted continue at the next start. */
  removed: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly signal: AbortSignal,
    private readonly warn: (message: string) => void,
  ) {
    this.remove(recordKeysOf(database.latest, 'garbage').map((key) => key.slice(1)));
  }

  /** Removes the records with these prefixes. If the process is killed, the removal continues at the next start. */
  remove(prefixes: readonly string[]): void {
    for (const prefix of prefixes) this.database.set(garbageKey(prefix), NO_BYTES);
    this.removed = this.removed.then(async () => {
      try {
        for (const prefix of prefixes) await this.#removeAll(prefix);
      } catch (error) {
        if (!this.signal.aborted) this.warn(`dropped data will be removed at the next start: ${String(error)}`);
      }
    });
  }

  async #removeAll(prefix: string): Promise<void> {
    for (const { key } of this.database.latest.range(prefix, successor(prefix), { keysOnly: true })) {
      this.signal.throwIfAborted();
      this.database.set(key, null);
      if (this.database.backlog > STEP_BYTES) await this.database.checkpointed();
    }
    this.database.set(prefixOf('multikey') + prefix.slice(1), null);
    this.database.set(garbageKey(prefix), null);
    await this.database.durable();
  }
}
