import { Changes } from './changes.js';
import type { Collection } from './collection.js';
import type { Conflicts } from './conflicts.js';
import type { Database } from './database.js';
import { Deferred } from './deferred.js';
import type { Snapshot } from './snapshot.js';

/** What writes belong to: a transaction, whose changes stay its own until it commits, or none. */
export interface Unit {
  readonly reader: Snapshot;
  readonly isTransaction: boolean;
  put(key: string, bytes: Buffer): void;
  remove(key: string): void;
  /** Throws Blocked if a transaction has changed the record, or somebody has since the snapshot of this one. */
  checkWritable(key: string): void;
  /** Notes a change of a record that no two may change at once: a document, or a key of a unique index. */
  claim(key: string): void;
  /** Adds to the number of documents in a collection, and to their bytes. */
  count(collection: Collection, documents: number, bytes: number): void;
}

/** Writes outside of transactions: each document is committed at once. */
export class Autocommit implements Unit {
  readonly isTransaction = false;
  readonly reader: Snapshot;

  constructor(
    private readonly database: Database,
    private readonly conflicts: Conflicts,
  ) {
    this.reader = database.latest;
  }

  put(key: string, bytes: Buffer): void {
    this.database.set(key, bytes);
  }

  remove(key: string): void {
    this.database.set(key, null);
  }

  checkWritable(key: string): void {
    this.conflicts.check(key, undefined);
  }

  claim(key: string): void {
    this.conflicts.commit([key]);
  }

  count(collection: Collection, documents: number, bytes: number): void {
    collection.add(documents, bytes);
    this.database.set(collection.countKey, collection.countRecord());
  }
}

/** A transaction: it reads what was committed when it began, and its own changes. */
export class Transaction implements Unit {
  readonly isTransaction = true;
  readonly changes = new Changes();
  readonly reader: Snapshot;
  /** The commit that it reads at. */
  readonly begun: number;
  readonly claimed = new Set<string>();
  readonly counts = new Map<Collection, { documents: number; bytes: number }>();
  /** Collections it made. */
  readonly created: Collection[] = [];
  /** Collections it has used: their definition must not change under it. */
  readonly used = new Set<Collection>();
  readonly #end = new Deferred();

  constructor(
    database: Database,
    private readonly conflicts: Conflicts,
  ) {
    this.reader = database.snapshot(this.changes);
    this.begun = conflicts.open(this);
  }

  /** Resolves when it has committed or aborted. */
  get ended(): Promise<void> {
    return this.#end.promise;
  }

  put(key: string, bytes: Buffer): void {
    this.changes.set(key, bytes);
  }

  remove(key: string): void {
    this.changes.set(key, null);
  }

  checkWritable(key: string): void {
    this.conflicts.check(key, this);
  }

  claim(key: string): void {
    this.claimed.add(key);
    this.conflicts.claim(key, this);
  }

  count(collection: Collection, documents: number, bytes: number): void {
    const sum = this.counts.get(collection) ?? { documents: 0, bytes: 0 };
    this.counts.set(collection, { documents: sum.documents + documents, bytes: sum.bytes + bytes });
  }

  /** Ends it: nothing of it is read or claimed any more. */
  end(): void {
    for (const collection of this.used) collection.users.delete(this);
    this.conflicts.close(this);
    this.reader.close();
    this.#end.resolve();
  }
}
