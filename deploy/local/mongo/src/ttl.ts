import type { Log } from './engine.js';
import { boundsOf } from './query/bounds.js';
import type { CollectionIndex } from './storage/collection-index.js';
import type { Collection } from './storage/collection.js';
import { Blocked } from './storage/conflicts.js';
import type { Store } from './storage/store.js';

/** Maximum number of documents deleted per pass and index, so that other commands can run. */
const MAX_PER_PASS = 2000;

/** Deletes documents that have expired by a TTL index. */
export class TtlMonitor {
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly store: Store,
    log: Log,
    seconds: number,
  ) {
    this.#timer = setInterval(() => {
      const deleted = store.database.isFull ? 0 : this.pass();
      if (deleted > 0) log('info', 'expired documents deleted', { deleted });
    }, seconds * 1000).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Deletes the documents that have expired, up to MAX_PER_PASS for each index. Returns their number. */
  pass(now = Date.now()): number {
    let deleted = 0;
    for (const collection of this.store.catalog.byNs.values())
      for (const index of collection.indexes)
        if (index.spec.expireAfterSeconds !== undefined)
          deleted += this.#expire(collection, index, new Date(now - index.spec.expireAfterSeconds * 1000));
    return deleted;
  }

  #expire(collection: Collection, index: CollectionIndex, cutoff: Date): number {
    // The range contains only dates, so other values never expire.
    const [range] = boundsOf(index, [{ path: index.fields[0]!.path, op: 'lte', value: cutoff }]).ranges;
    const { autocommit } = this.store;
    let deleted = 0;
    for (const { key, id } of index.walk(autocommit.reader, range!.low, range!.high)) {
      if (deleted === MAX_PER_PASS) break;
      const doc = collection.read(autocommit.reader, id);
      if (!doc || (key !== undefined && !index.keysFor(doc).includes(key))) continue;
      try {
        collection.remove(autocommit, id, doc);
        deleted += 1;
      } catch (error) {
        // A transaction is changing the document; a later pass retries.
        if (!(error instanceof Blocked)) throw error;
      }
    }
    this.store.durable().catch(() => undefined);
    return deleted;
  }
}
