import type { Log } from './engine.js';
import { boundsOf } from './query/bounds.js';
import type { CollectionIndex } from './storage/collection-index.js';
import type { Collection } from './storage/collection.js';
import type { Store } from './storage/store.js';
import { Blocked } from './storage/conflicts.js';

/** Most documents that one pass deletes from one index before others get their turn. */
const maxPerPass = 2000;

/** Deletes documents whose time in a TTL index has come. */
export class TtlMonitor {
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly store: Store,
    private readonly log: Log,
    public seconds: number,
  ) {
    this.#timer = this.#schedule();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** One pass; answers how many documents were deleted. */
  pass(now = Date.now()): number {
    let deleted = 0;
    for (const collection of this.store.catalog.byNs.values()) {
      for (const index of collection.indexes) {
        if (index.spec.expireAfterSeconds !== undefined) deleted += this.#expire(collection, index, now);
      }
    }
    return deleted;
  }

  #schedule(): NodeJS.Timeout {
    return setInterval(() => {
      const deleted = this.store.isFull ? 0 : this.pass();
      if (deleted > 0) this.log('info', 'expired documents deleted', { deleted });
    }, this.seconds * 1000).unref();
  }

  #expire(collection: Collection, index: CollectionIndex, now: number): number {
    const due = new Date(now - index.spec.expireAfterSeconds! * 1000);
    const [path] = Object.keys(index.spec.key);
    // A range stays within its type: values that are no dates never expire.
    const [range] = boundsOf(index, [{ path: path!, op: 'lte', value: due }]).ranges;
    const { autocommit } = this.store;
    let deleted = 0;
    for (const { key, id } of index.walk(autocommit.reader, range!.low, range!.high)) {
      if (deleted === maxPerPass) break;
      const doc = collection.read(autocommit.reader, id);
      if (!doc || (key !== undefined && !index.keysFor(doc).includes(key))) continue;
      try {
        collection.remove(autocommit, id, doc);
        deleted += 1;
      } catch (error) {
        // A transaction is changing the document: a later pass finds what becomes of it.
        if (!(error instanceof Blocked)) throw error;
      }
    }
    this.store.durable().catch(() => undefined);
    return deleted;
  }
}
