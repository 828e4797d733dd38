import { Changes } from './changes.js';
import type { Collection } from './collection.js';
import type { Conflicts } from './conflicts.js';
import type { Database } from './database.js';
import { Deferred } from './deferred.js';
import type { Value } from './journal.js';
import type { Snapshot } from './snapshot.js';

/**
 * The unit of work that a write is part of: a transaction, whose changes are private until it commits, or
 * `Store.autocommit`, for writes outside of transactions.
 */
export interface Unit {
  readonly reader: Snapshot;
  /** Stores a record, or removes it (null). */
  put(key: string, value: Value): void;
  /**
   * Throws Blocked if another open transaction has changed the record. A transaction also throws Blocked if a change to
   * the record was committed after the transaction started.
   */
  checkWritable(key: string): void;
  /** Marks a record that must not be changed concurrently: a document, or a key of a unique index. */
  claim(key: string): void;
  /** Adds to the number of documents of a collection. */
  count(collection: Collection, documents: number): void;
}

/** A transaction. It reads the state committed when it started, and its own changes. */
export class Transaction implements Unit {
  readonly changes = new Changes();
  readonly reader: Snapshot;
  /** The number of the last commit that it reads. */
  readonly startedAt: number;
  readonly claimed = new Set<string>();
  readonly counts = new Map<Collection, number>();
  readonly created: Collection[] = [];
  /** Collections it has used: their definitions must not change until it ends. */
  readonly used = new Set<Collection>();
  readonly #end = new Deferred();

  constructor(
    database: Database,
    private readonly conflicts: Conflicts,
  ) {
    this.reader = database.snapshot(this.changes);
    this.startedAt = conflicts.start(this);
  }

  get ended(): Promise<void> {
    return this.#end.promise;
  }

  put(key: string, value: Value): void {
    this.changes.set(key, value);
  }

  checkWritable(key: string): void {
    this.conflicts.check(key, this);
  }

  claim(key: string): void {
    this.claimed.add(key);
    this.conflicts.claim(key, this);
  }

  count(collection: Collection, documents: number): void {
    this.counts.set(collection, (this.counts.get(collection) ?? 0) + documents);
  }

  /** Releases its snapshot and its claims. */
  end(): void {
    for (const collection of this.used) collection.users.delete(this);
    this.conflicts.end(this);
    this.reader.close();
    this.#end.resolve();
  }
}
