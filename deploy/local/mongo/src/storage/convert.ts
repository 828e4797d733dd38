import { existsSync } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppendLog } from '@tautan/append-log';
import { decode } from '../language/decode.js';
import type { Document } from '../language/values.js';
import type { IndexSpec } from './collection-index.js';
import type { Collection } from './collection.js';
import { Store } from './store.js';

/** The kinds of log entries: a whole document, the `_id` of a removed one, a change of the catalog. */
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
  options?: Document;
}

interface Converted {
  collection: Collection;
  indexes: Map<string, IndexSpec>;
  options: Document;
}

/**
 * Converts the log (`engine.log`) of versions before 0.2 to a data file, and keeps it as `engine.log.converted`. An interrupted
 * conversion starts over. Rejects with DamagedLogError if the log is damaged and `repair` is false.
 */
export async function convert(dataDir: string, repair: boolean, report: (message: string) => void): Promise<void> {
  const path = join(dataDir, 'engine.log');
  if (!existsSync(path) || existsSync(join(dataDir, 'data.mdb'))) return;
  const folder = join(dataDir, 'converting');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const store = await Store.open(folder, report);
  const conversion = new Conversion(store, (await stat(path)).size, report);
  const log = await AppendLog.open(path, {
    onRecord: (record) => conversion.take(record),
    onLoss: ({ message }) => report(message),
    repair,
    maxRecordBytes: MAX_RECORD_BYTES,
  });
  await log.close();
  await conversion.finish();
  await store.close();
  for (const name of ['journal.log', 'data.mdb']) await rename(join(folder, name), join(dataDir, name));
  await rename(path, `${path}.converted`);
  await rm(folder, { recursive: true });
  report(`${path} was converted to ${join(dataDir, 'data.mdb')} and is kept as ${path}.converted`);
}

class Conversion {
  readonly #collections = new Map<number, Converted>();
  #read = 0;
  #reported = 0;

  constructor(
    private readonly store: Store,
    private readonly bytes: number,
    private readonly report: (message: string) => void,
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
    if (percent > this.#reported) this.report(`converting the data of an earlier version: ${percent} %`);
    this.#reported = percent;
  }

  /** Counts the documents, builds the indexes and reports options that are not converted. */
  async finish(): Promise<void> {
    for (const { collection, indexes, options } of this.#collections.values()) {
      await this.store.recount(collection);
      await this.store.addIndexes(collection, [...indexes.values()], this.store.autocommit);
      const names = Object.keys(options).join(', ');
      if (names) this.report(`${collection.ns} was converted without its options, which are not supported: ${names}`);
    }
    await this.store.durable();
  }

  #entry(kind: number, number: number, raw: Buffer): void {
    if (kind === Entry.catalog) return this.#change(decode(raw) as unknown as CatalogChange);
    const converted = this.#collections.get(number);
    // A transaction may have outlived the collection that it wrote to.
    if (!converted || (kind !== Entry.put && kind !== Entry.remove)) return;
    this.store.autocommit.put(converted.collection.recordOf(decode(raw)['_id']), kind === Entry.put ? raw : null);
  }

  #change({ op, id, ns, spec, name, options = {} }: CatalogChange): void {
    if (op === 'create') {
      const collection = this.store.create(ns, this.store.autocommit);
      this.#collections.set(id, { collection, indexes: new Map(), options });
      return;
    }
    const converted = this.#collections.get(id);
    if (!converted) return;
    if (op === 'options') converted.options = options;
    else if (op === 'dropIndex') converted.indexes.delete(name);
    else if (op !== 'drop') converted.indexes.set(spec.name, spec);
    else {
      this.store.drop(converted.collection);
      this.#collections.delete(id);
    }
  }
}
