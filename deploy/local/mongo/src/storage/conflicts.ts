import type { Transaction } from './unit.js';

/** Thrown by a write that must wait: `until` resolves when it may be tried again; null when that is of no use. */
export class Blocked extends Error {
  constructor(readonly until: Promise<void> | null) {
    super('write conflict');
  }
}

/** What transactions have changed, and what was committed while one was open. */
export class Conflicts {
  /** The commits so far. */
  #time = 0;
  readonly #writers = new Map<string, Transaction>();
  /** Commit times of records, in their order. */
  readonly #changed = new Map<string, number>();
  readonly #open = new Set<Transaction>();

  open(transaction: Transaction): number {
    this.#open.add(transaction);
    return this.#time;
  }

  check(key: string, unit: Transaction | undefined): void {
    const writer = this.#writers.get(key);
    if (writer && writer !== unit) throw new Blocked(writer.ended);
    if (unit && (this.#changed.get(key) ?? 0) > unit.begun) throw new Blocked(null);
  }

  claim(key: string, transaction: Transaction): void {
    this.#writers.set(key, transaction);
  }

  /** Notes a commit of these records; answers its number. */
  commit(keys: Iterable<string>): number {
    this.#time += 1;
    if (this.#open.size === 0) return this.#time;
    for (const key of keys) {
      this.#changed.delete(key);
      this.#changed.set(key, this.#time);
    }
    return this.#time;
  }

  /** Forgets a transaction, and the commits that none is older than any more. */
  close(transaction: Transaction): void {
    this.#open.delete(transaction);
    for (const key of transaction.claimed) this.#writers.delete(key);
    // Transactions are in the order in which they began.
    const [oldest] = this.#open;
    for (const [key, time] of this.#changed) {
      if (oldest && time > oldest.begun) return;
      this.#changed.delete(key);
    }
  }

  transactions(): Iterable<Transaction> {
    return this.#open;
  }
}
