import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppendLog } from '@tautan/append-log';
import { decode } from '../language/decode.js';
import type { IndexSpec } from './collection-index.js';
import type { Collection } from './collection.js';
import { Store } from './store.js';

/** What an entry of a log says, by its first byte: a whole document, the `_id` of a removed one, a change of the catalog. */
const Entry = { put: 1, remove: 2, catalog: 3 } as const;
/** Kind (1 byte) and number of the collection (4 bytes, little endian), before a BSON document. */
const HEADER_BYTES = 5;
const MAX_RECORD_BYTES = 512 * 1024 * 1024;

interface CatalogChange {
  op: 'create' | 'drop' | 'options' | 'addIndex' | 'changeIndex' | 'dropIndex';
  id: number;
  ns: string;
  spec: IndexSpec;
  name: string;
}

interface Converted {
  collection: Collection;
  indexes: Map<string, IndexSpec>;
}

/**
 * Makes the data file out of the log (`engine.log`) of versions before 0.2, which is kept as `engine.log.converted`. A
 * conversion that was interrupted begins anew. Rejects with DamagedLogError when the log is damaged and `repair` is false.
 */
export async function convert(dataDir: string, repair: boolean, tell: (message: string) => void): Promise<void> {
  const path = join(dataDir, 'engine.log');
  if (!existsSync(path) || existsSync(join(dataDir, 'data.mdb'))) return;
  const folder = join(dataDir, 'converting');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const store = await Store.open(folder);
  const conversion = new Conversion(store, (await stat(path)).size, tell);
  const log = await AppendLog.open(path, {
    onRecord: (record) => conversion.take(record),
    onLoss: ({ message }) => tell(message),
    repair,
    maxRecordBytes: MAX_RECORD_BYTES,
  });
  await log.close();
  await conversion.finish();
  await store.close();
  for (const name of ['journal.log', 'data.mdb']) await rename(join(folder, name), join(dataDir, name));
  await rename(path, `${path}.converted`);
  await rm(folder, { recursive: true });
  tell(`${path} was converted to ${join(dataDir, 'data.mdb')} and is kept as ${path}.converted`);
}

class Conversion {
  readonly #collections = new Map<number, Converted>();
  #read = 0;
  #told = 0;

  constructor(
    private readonly store: Store,
    private readonly bytes: number,
    private readonly tell: (message: string) => void,
  ) {}

  take(record: Buffer): void {
    for (let at = 0; at < record.length;) {
      const end = at + HEADER_BYTES + record.readInt32LE(at + HEADER_BYTES);
      this.#entry(record[at]!, record.readInt32LE(at + 1), record.subarray(at + HEADER_BYTES, end));
      at = end;
    }
    this.store.durable().catch(() => undefined);
    this.#read += record.length;
    const percent = Math.floor((this.#read / this.bytes) * 10) * 10;
    if (percent > this.#told) this.tell(`converting the data of an earlier version: ${(this.#told = percent)} %`);
  }

  /** Counts the documents and builds the indexes. */
  async finish(): Promise<void> {
    for (const { collection, indexes } of this.#collections.values()) {
      await this.store.recount(collection);
      await this.store.addIndexes(collection, [...indexes.values()], this.store.autocommit);
    }
    await this.store.durable();
  }

  #entry(kind: number, number: number, raw: Buffer): void {
    if (kind === Entry.catalog) return this.#change(decode(raw) as unknown as CatalogChange);
    const converted = this.#collections.get(number);
    // A transaction may have outlived the collection it wrote into.
    if (!converted || (kind !== Entry.put && kind !== Entry.remove)) return;
    const { collection } = converted;
    const key = collection.documents + collection.idOf(decode(raw)['_id']);
    if (kind === Entry.put) this.store.autocommit.put(key, raw);
    else this.store.autocommit.remove(key);
  }

  #change({ op, id, ns, spec, name }: CatalogChange): void {
    if (op === 'create') {
      this.#collections.set(id, { collection: this.store.create(ns, this.store.autocommit), indexes: new Map() });
      return;
    }
    const converted = this.#collections.get(id);
    if (!converted || op === 'options') return;
    if (op === 'dropIndex') converted.indexes.delete(name);
    else if (op !== 'drop') converted.indexes.set(spec.name, spec);
    else {
      this.store.drop(converted.collection);
      this.#collections.delete(id);
    }
  }
}
