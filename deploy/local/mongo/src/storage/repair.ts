import { copyFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { MongoError } from '../language/errors.js';
import type { Store } from './store.js';

/**
 * Removes every damaged record from the data file, of which a copy is kept beside it (`.damaged.1`), counts all documents and
 * builds all indexes anew. Tells what was removed, and which unique indexes could not be built, in one sentence each.
 */
export async function repair(store: Store, dataDir: string, tell: (message: string) => void): Promise<void> {
  const path = join(dataDir, 'data.mdb');
  let copies = 1;
  while (existsSync(`${path}.damaged.${copies}`)) copies += 1;
  const { latest } = store.database;
  const damaged = [...latest.range('\0', '\xff', { keysOnly: true })]
    .map(({ key }) => key)
    .filter((key) => isDamaged(key));
  if (damaged.length > 0) {
    await copyFile(path, `${path}.damaged.${copies}`);
    for (const key of damaged) store.autocommit.remove(key);
    tell(
      `${path}: repaired; removed ${damaged.length} records; the file as it was is kept in ${path}.damaged.${copies}`,
    );
  }
  for (const collection of store.catalog.byNs.values()) {
    const specs = collection.indexes.slice(1).map(({ spec }) => spec);
    for (const { name } of specs) store.dropIndex(collection, name);
    await store.recount(collection);
    for (const spec of specs) {
      await store.addIndexes(collection, [spec], store.autocommit).catch((error: unknown) => {
        if (!(error instanceof MongoError)) throw error;
        tell(`the index ${spec.name} of ${collection.ns} was dropped: ${error.message}`);
      });
    }
  }
  await store.durable();

  function isDamaged(key: string): boolean {
    try {
      latest.get(key);
      return false;
    } catch {
      return true;
    }
  }
}
