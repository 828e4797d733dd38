import type { RawDoc } from '../bson/raw.js';
import type { Catalog } from './catalog.js';
import { MongoError } from '../language/errors.js';
import { buildIndexes, type CollectionIndex } from './collection-index.js';
import type { Collection } from './collection.js';
import { Entry, readBatch } from './log-batch.js';
import { idKey } from './index-keys.js';
import type { DocRecord } from './record.js';
import type { SessionLog } from './store.js';

/** A unique index for which two documents have the same key. */
export interface UnbuildableIndex {
  collection: Collection;
  name: string;
}

/** Applies the records of the log one by one. Indexes are built once, at its end. */
export class Recovery {
  /** Changes of documents whose collection is unknown. */
  orphans = 0;
  /** For each collection its records by the key of their `_id`. */
  readonly #records = new Map<Collection, Map<string, DocRecord>>();

  constructor(
    private readonly catalog: Catalog,
    private readonly sessions: SessionLog,
  ) {}

  take(record: Buffer): void {
    readBatch(record, (kind, id, raw) => this.#entry(kind, id, raw));
  }

  /** Builds the indexes. With `tolerant`, returns the unique ones that cannot be built instead of throwing DuplicateKey. */
  finish(tolerant: boolean): UnbuildableIndex[] {
    const unbuildable: UnbuildableIndex[] = [];
    for (const collection of this.catalog.byId.values()) {
      const records = this.#records.get(collection);
      if (!records) continue;
      collection.idIndex.load(collection.ns, [...records.keys()], [...records.values()]);
      records.clear();
      const indexes = collection.indexes.slice(1);
      if (!tolerant) buildIndexes(indexes, collection.ns, collection.first);
      else unbuildable.push(...indexes.filter((index) => !isBuilt(index, collection)).map(({ spec: { name } }) => ({ collection, name }))); // prettier-ignore
    }
    return unbuildable;
  }

  #entry(kind: number, id: number, raw: RawDoc): void {
    if (kind === Entry.catalog) return this.catalog.replay(raw);
    if (kind === Entry.session) return this.sessions.replay(raw);
    const collection = this.catalog.byId.get(id);
    // A transaction may have outlived the collection it wrote into.
    if (!collection) {
      this.orphans += 1;
      return;
    }
    const records = this.#recordsOf(collection);
    const key = idKey(raw);
    const there = records.get(key);
    if (kind === Entry.put) {
      if (there) collection.recover(there, raw);
      else records.set(key, collection.recover(undefined, raw));
    } else if (there) {
      collection.recoverRemoval(there);
      records.delete(key);
    }
  }

  #recordsOf(collection: Collection): Map<string, DocRecord> {
    const there = this.#records.get(collection);
    if (there) return there;
    const records = new Map<string, DocRecord>();
    this.#records.set(collection, records);
    return records;
  }
}

function isBuilt(index: CollectionIndex, { ns, first }: Collection): boolean {
  try {
    buildIndexes([index], ns, first);
    return true;
  } catch (error) {
    if (error instanceof MongoError && error.codeName === 'DuplicateKey') return false;
    throw error;
  }
}
