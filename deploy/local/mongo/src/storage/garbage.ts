import { recordsOf } from './catalog.js';
import type { Database } from './database.js';
import { prefixOf, successor } from './keys.js';
import type { Unit } from './unit.js';

export const noBytes = Buffer.alloc(0);

/** The record that says that all records with a prefix are to be removed. */
export const garbageKey = (prefix: string): string => prefixOf('garbage') + prefix;

/** Removed in one go, while other commands wait. */
const STEP_BYTES = 128 * 1024;

/** Removes the records of dropped collections and indexes beside the requests, and at start what an earlier process left. */
export class Garbage {
  /** Resolves when all is removed, or the signal is aborted. */
  removed: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly unit: Unit,
    private readonly signal: AbortSignal,
    private readonly warn: (message: string) => void,
  ) {
    this.remove(recordsOf(database.latest, 'garbage').map((key) => key.slice(1)));
  }

  /** Removes the records with these prefixes, now or after a restart. */
  removeLater(prefixes: readonly string[]): void {
    for (const prefix of prefixes) this.unit.put(garbageKey(prefix), noBytes);
    this.remove(prefixes);
  }

  remove(prefixes: readonly string[]): void {
    this.removed = this.removed.then(async () => {
      try {
        for (const prefix of prefixes) await this.#removeAll(prefix);
      } catch (error) {
        if (!this.signal.aborted) this.warn(`dropped data is removed at the next start: ${String(error)}`);
      }
    });
  }

  async #removeAll(prefix: string): Promise<void> {
    for (const { key } of this.database.latest.range(prefix, successor(prefix), { keysOnly: true })) {
      this.signal.throwIfAborted();
      this.unit.remove(key);
      if (this.database.backlog > STEP_BYTES) await this.database.placed();
    }
    if (prefix.startsWith(prefixOf('entry'))) this.unit.remove(prefixOf('multikey') + prefix.slice(1));
    this.unit.remove(garbageKey(prefix));
    await this.database.durable();
  }
}
