import { join } from 'node:path';
import { keepCopy } from '@tautan/append-log';
import { MongoError } from '../language/errors.js';
import type { Database } from './database.js';
import type { Snapshot } from './snapshot.js';
import type { Store } from './store.js';

/**
 * Removes all damaged records. If there are any, first copies the data file (to `data.mdb.damaged.1`, or the next free
 * number), and reports how many records were removed.
 */
export async function removeDamaged(
  database: Database,
  dataDir: string,
  report: (message: string) => void,
): Promise<void> {
  const damaged = damagedKeys(database.latest);
  if (damaged.length === 0) return;
  const path = join(dataDir, 'data.mdb');
  const copy = await keepCopy(path);
  for (const key of damaged) database.set(key, null);
  const removed = `${damaged.length} damaged record${damaged.length === 1 ? '' : 's'}`;
  report(`${path}: repaired; removed ${removed}; the original file is kept as ${copy}`);
}

/**
 * Puts the documents of collections without a definition into new collections. Counts all documents and rebuilds all
 * indexes except those of `_id`. Reports the new collections, and the indexes that could not be rebuilt.
 */
export async function repair(store: Store, report: (message: string) => void): Promise<void> {
  for (const { ns } of store.adoptOrphans())
    report(`the documents of a collection without a definition are now in ${ns}`);
  for (const collection of store.catalog.byNs.values()) {
    const indexes = collection.indexes.slice(1);
    for (const index of indexes) store.dropIndex(collection, index);
    await store.recount(collection);
    for (const { spec } of indexes) {
      await store.addIndexes(collection, [spec], store.autocommit).catch((error: unknown) => {
        if (!(error instanceof MongoError)) throw error;
        report(`the index ${spec.name} of ${collection.ns} was dropped: ${error.message}`);
      });
    }
  }
  await store.durable();
}

const damagedKeys = (latest: Snapshot): string[] =>
  Array.from(latest.range('\0', '\xff', { keysOnly: true }), ({ key }) => key).filter((key) => {
    try {
      latest.get(key);
      return false;
    } catch {
      return true;
    }
  });
