import type { State } from '@tautan/append-log';
import { Transaction } from './transaction.js';

interface Deps {
  state: State;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Base URL of the pages, without a trailing slash. */
  baseUrl: string;
  /** Called with the ids of events once they are durable. */
  onEvents: (ids: readonly string[]) => void;
}

/** The state of the sandbox: customers, prices, sessions, subscriptions and invoices. */
export class Sandbox {
  /** The write in progress, or the last one. */
  #latest: Promise<void> = Promise.resolve();

  constructor(private readonly deps: Deps) {}

  /**
   * Returns a transaction for reading the current state: a view, not a copy. Only `change` writes a transaction. Call
   * `settled` before responding with what was read.
   */
  transaction(): Transaction {
    const { state, now, baseUrl } = this.deps;
    return new Transaction(state, now(), baseUrl);
  }

  /** Resolves when the current state is durable. Rejects if it could not be written. */
  settled(): Promise<void> {
    return this.#latest;
  }

  /** Applies a change atomically. Resolves when it is durable, and emits its events only then. */
  async change<T>(apply: (tx: Transaction) => T): Promise<T> {
    const tx = this.transaction();
    const result = apply(tx);
    const written = tx.changes.length > 0 ? this.#write(tx) : this.#latest;
    this.#latest = written;
    await written;
    if (tx.events.length > 0) this.deps.onEvents(tx.events);
    return result;
  }

  async #write(tx: Transaction): Promise<void> {
    const { state } = this.deps;
    try {
      await state.write(...tx.changes);
    } catch (error) {
      // An empty write restores the durable state: any write after a failed one first rolls the failed one back.
      this.#latest = state.write().catch(() => undefined);
      await this.#latest;
      throw error;
    }
  }
}
