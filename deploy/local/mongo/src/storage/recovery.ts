import type { RawDoc } from '../bson/raw.js';
import type { Catalog } from './catalog.js';
import { buildIndexes } from './collection-index.js';
import type { Collection } from './collection.js';
import { Entry, readBatch } from './log-batch.js';
import { idKey } from './index-keys.js';
import type { DocRecord } from './record.js';
import type { SessionLog } from './store.js';

/** Takes in the records of the log one by one; the indexes are built once, at its end. */
export class Recovery {
  /** For each collection its records by the key of their `_id`. */
  readonly #records = new Map<Collection, Map<string, DocRecord>>();

  constructor(
    private readonly catalog: Catalog,
    private readonly sessions: SessionLog,
  ) {}

  take(record: Buffer): void {
    readBatch(record, (kind, id, raw) => this.#entry(kind, id, raw));
  }

  finish(): void {
    for (const collection of this.catalog.byId.values()) {
      const records = this.#records.get(collection);
      if (!records) continue;
      collection.idIndex.load(collection.ns, [...records.keys()], [...records.values()]);
      records.clear();
      buildIndexes(collection.indexes.slice(1), collection.ns, collection.first);
    }
  }

  #entry(kind: number, id: number, raw: RawDoc): void {
    if (kind === Entry.catalog) return this.catalog.replay(raw);
    if (kind === Entry.session) return this.sessions.replay(raw);
    const collection = this.catalog.byId.get(id);
    // A transaction may have outlived the collection it wrote into.
    if (!collection) return;
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
