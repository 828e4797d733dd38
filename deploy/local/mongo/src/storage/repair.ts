import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoError } from '../language/errors.js';
import type { Snapshot } from './snapshot.js';
import type { Store } from './store.js';

/**
 * Removes all damaged records, counts all documents and rebuilds all indexes. If there are damaged records, first
 * copies the data file (to `data.mdb.damaged.1`, or the next free number). Reports the number of removed records, and
 * the indexes that could not be rebuilt.
 */
export async function repair(store: Store, dataDir: string, report: (message: string) => void): Promise<void> {
  const path = join(dataDir, 'data.mdb');
  const damaged = damagedKeys(store.database.latest);
  if (damaged.length > 0) {
    let copies = 1;
    while (existsSync(`${path}.damaged.${copies}`)) copies += 1;
    const copy = `${path}.damaged.${copies}`;
    await copyFile(path, copy);
    for (const key of damaged) store.autocommit.put(key, null);
    const removed = `${damaged.length} damaged record${damaged.length === 1 ? '' : 's'}`;
    report(`${path}: repaired; removed ${removed}; the original file is kept as ${copy}`);
  }
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
