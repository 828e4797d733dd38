import type { Log } from './engine.js';
import { CODES, MongoError } from './language/errors.js';
import { boundsOf } from './query/bounds.js';
import type { CollectionIndex } from './storage/collection-index.js';
import type { Collection } from './storage/collection.js';
import { Blocked } from './storage/conflicts.js';
import type { Store } from './storage/store.js';

/** Maximum number of documents deleted per pass and index, so that other commands can run. */
const MAX_PER_PASS = 2000;

/** Periodically deletes the documents that have expired according to a TTL index. */
export class TtlMonitor {
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly store: Store,
    private readonly log: Log,
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
          deleted += this.#tryExpire(collection, index, new Date(now - index.spec.expireAfterSeconds * 1000));
    return deleted;
  }

  /**
   * Like `#expire`, but logs an error, such as a damaged index entry, instead of throwing, so that the other indexes
   * are still processed.
   */
  #tryExpire(collection: Collection, index: CollectionIndex, cutoff: Date): number {
    try {
      return this.#expire(collection, index, cutoff);
    } catch (error) {
      const fields = { collection: collection.ns, index: index.spec.name, error: String(error) };
      this.log('error', 'expired documents could not be deleted', fields);
      return 0;
    }
  }

  /** Deletes the documents whose indexed date is at or before `cutoff`, up to MAX_PER_PASS. Returns their number. */
  #expire(collection: Collection, index: CollectionIndex, cutoff: Date): number {
    // The range contains only dates, so other values never expire.
    const [range] = boundsOf(index, [{ path: index.fields[0]!.path, op: 'lte', value: cutoff }]).ranges;
    const { autocommit } = this.store;
    let deleted = 0;
    for (const { key, id } of index.walk(autocommit.reader, range!.low, range!.high)) {
      if (deleted === MAX_PER_PASS) break;
      try {
        const doc = collection.read(autocommit.reader, id);
        if (!doc || (key !== undefined && !index.keysFor(doc).includes(key))) continue;
        collection.remove(autocommit, id, doc);
        deleted += 1;
      } catch (error) {
        // The document is damaged, a transaction is changing it, or an index is being built; a later pass retries.
        if (!(error instanceof Blocked) && !isDamage(error)) throw error;
      }
    }
    this.store.durable().catch(() => undefined);
    return deleted;
  }
}

const isDamage = (error: unknown): boolean =>
  error instanceof MongoError && error.code === CODES.DataCorruptionDetected;
