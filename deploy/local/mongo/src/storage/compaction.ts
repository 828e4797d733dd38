import { setImmediate } from 'node:timers/promises';
import { rawChange, type Catalog } from './catalog.js';
import type { Collection } from './collection.js';
import { Entry, LogBatch } from './log-batch.js';
import { visible, type View } from './record.js';
import type { SessionLog } from './store.js';

/** Records of this size keep both the number of records and the pause that making one takes small. */
const recordBytes = 128 * 1024;

/**
 * The records that stand for everything `view` sees. What is not under versions (the catalog, the sessions) is taken before
 * this answers; the documents are read over time, so `view` must be one of the store's readers until the end. Throws when
 * `signal` says that nobody waits for it any more.
 */
export function snapshotRecords(
  catalog: Catalog,
  sessions: SessionLog,
  view: View,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const head = new LogBatch();
  for (const change of catalog.changes()) head.add(Entry.catalog, change.id, rawChange(change));
  for (const raw of sessions.entries()) head.add(Entry.session, 0, raw);
  const collections = [...catalog.byId.values()].filter(({ creator }) => creator === null);
  return records(head, collections, view, signal);
}

async function* records(
  head: LogBatch,
  collections: Collection[],
  view: View,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (!head.empty) yield head.take();
  const batch = new LogBatch();
  for (const collection of collections) {
    for (let record = collection.first; record; record = record.next) {
      const raw = visible(record, view);
      if (raw !== null) batch.add(Entry.put, collection.id, raw);
      if (batch.bytes < recordBytes) continue;
      yield batch.take();
      await setImmediate();
      signal.throwIfAborted();
    }
  }
  if (!batch.empty) yield batch.take();
}
