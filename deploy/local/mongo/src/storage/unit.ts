import type { Collection } from './collection.js';
import type { LogBatch } from './log-batch.js';
import type { DocRecord, View } from './record.js';

/** Thrown by a write that meets another transaction's: `blocker` is that transaction while it is open, else null. */
export class Blocked extends Error {
  constructor(readonly blocker: Unit | null) {
    super('write conflict');
  }
}

/**
 * What writes belong to. A transaction has a snapshot, and its writes stay its own until it commits. Without a snapshot every
 * write is committed at once, one document at a time, as in a command outside of transactions.
 */
export class Unit implements View {
  /** The states of documents this transaction has changed, and where they live. */
  readonly touched = new Map<DocRecord, Collection>();
  /** Collections this transaction made. */
  readonly created: Collection[] = [];
  /** Collections it has used: their definition must not change under it. */
  readonly used = new Set<Collection>();
  /** Resolves when the transaction has committed or aborted. */
  readonly ended: Promise<void>;
  readonly unit: Unit | null;
  end!: () => void;

  constructor(
    readonly batch: LogBatch,
    /** The commit time that the transaction reads at; undefined outside of transactions. */
    readonly snapshot?: number,
  ) {
    this.ended = new Promise((resolve) => (this.end = resolve));
    this.unit = snapshot === undefined ? null : this;
  }

  get ts(): number {
    return this.snapshot ?? Infinity;
  }
}
