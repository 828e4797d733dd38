import type { State } from '@tautan/append-log';
import { Draft } from './draft.js';

interface Deps {
  state: State;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Where its pages are, without a slash at the end. */
  baseUrl: string;
  /** Is told of events once they are on the disk. */
  onEvents: (ids: readonly string[]) => void;
}

/** Customers, prices, sessions, subscriptions and invoices, as they stand. */
export class Sandbox {
  /** The write under way, else the one before. */
  #latest: Promise<void> = Promise.resolve();

  constructor(private readonly deps: Deps) {}

  /** The state to look at. Nobody is to be told of it before it has settled. */
  look(): Draft {
    const { state, now, baseUrl } = this.deps;
    return new Draft(state, now(), baseUrl);
  }

  /** Resolves when all that can be looked at now is on the disk; rejects when the disk refused it. */
  settled(): Promise<void> {
    return this.#latest;
  }

  /** Makes all of a change or nothing. Resolves when it is on the disk; only then anybody is told of it. */
  async change<T>(make: (draft: Draft) => T): Promise<T> {
    const draft = this.look();
    const result = make(draft);
    const written = draft.changes.length > 0 ? this.#write(draft) : this.#latest;
    this.#latest = written;
    await written;
    if (draft.events.length > 0) this.deps.onEvents(draft.events);
    return result;
  }

  async #write(draft: Draft): Promise<void> {
    const { state } = this.deps;
    try {
      await state.write(...draft.changes);
    } catch (error) {
      // What the disk refused is not to be seen any more: a write begins with what is on it.
      this.#latest = state.write().catch(() => undefined);
      await this.#latest;
      throw error;
    }
  }
}
