import type { Transaction } from './unit.js';

/** Thrown by a write that cannot proceed. It can be retried when `until` resolves; if `until` is null, it must fail. */
export class Blocked extends Error {
  constructor(readonly until: Promise<void> | null) {
    super('write conflict');
  }
}

/** The records that open transactions have changed, and those that were committed while a transaction was open. */
export class Conflicts {
  /** Number of commits so far: the clock by which transactions and commits are ordered. */
  #time = 0;
  readonly #writers = new Map<string, Transaction>();
  /** Records committed while a transaction was open, each with the `#time` of its last commit; oldest commit first. */
  readonly #changed = new Map<string, number>();
  /** The open transactions, in the order in which they started. */
  readonly open = new Set<Transaction>();

  /** Registers a transaction. Returns the number of the last commit whose changes it sees. */
  start(transaction: Transaction): number {
    this.open.add(transaction);
    return this.#time;
  }

  /**
   * Throws Blocked if an open transaction other than `transaction` has changed the record, or if a change to the record
   * was committed after `transaction` started.
   */
  check(key: string, transaction?: Transaction): void {
    const writer = this.#writers.get(key);
    if (writer && writer !== transaction) throw new Blocked(writer.ended);
    if (transaction && (this.#changed.get(key) ?? 0) > transaction.startedAt) throw new Blocked(null);
  }

  claim(key: string, transaction: Transaction): void {
    this.#writers.set(key, transaction);
  }

  /** Records a commit that changes these records. Returns its number. */
  commit(keys: Iterable<string>): number {
    this.#time += 1;
    if (this.open.size === 0) return this.#time;
    for (const key of keys) {
      this.#changed.delete(key);
      this.#changed.set(key, this.#time);
    }
    return this.#time;
  }

  /** Removes a transaction, and the commit times that no remaining transaction needs. */
  end(transaction: Transaction): void {
    this.open.delete(transaction);
    for (const key of transaction.claimed) this.#writers.delete(key);
    const [oldest] = this.open;
    for (const [key, time] of this.#changed) {
      if (oldest && time > oldest.startedAt) return;
      this.#changed.delete(key);
    }
  }
}
