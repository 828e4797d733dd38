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
  const collections = new Map<number, Converted>();
  const { size } = await stat(path);
  let [read, reported] = [0, 0];
  const onRecord = (record: Buffer): void => {
    replay(store, collections, record);
    read += record.length;
    const percent = Math.floor((read / size) * 10) * 10;
    if (percent > reported) report(`converting the data of an earlier version: ${percent} %`);
    reported = percent;
  };
  const onLoss = ({ message }: { message: string }): void => report(message);
  const log = await AppendLog.open(path, { onRecord, onLoss, repair, maxRecordBytes: MAX_RECORD_BYTES });
  await log.close();
  for (const { collection, indexes, options } of collections.values()) {
    await store.recount(collection);
    await store.addIndexes(collection, [...indexes.values()], store.autocommit);
    const names = Object.keys(options).join(', ');
    if (names) report(`${collection.ns} was converted without its options, which are not supported: ${names}`);
  }
  await store.close();
  for (const name of ['journal.log', 'data.mdb']) await rename(join(folder, name), join(dataDir, name));
  await rename(path, `${path}.converted`);
  await rm(folder, { recursive: true });
  report(`${path} was converted to ${join(dataDir, 'data.mdb')} and is kept as ${path}.converted`);
}

function replay(store: Store, collections: Map<number, Converted>, record: Buffer): void {
  for (let at = 0; at < record.length;) {
    const end = at + HEADER_BYTES + record.readInt32LE(at + HEADER_BYTES);
    const [kind, number, raw] = [record[at]!, record.readInt32LE(at + 1), record.subarray(at + HEADER_BYTES, end)];
    at = end;
    if (kind === Entry.catalog) change(store, collections, decode(raw) as unknown as CatalogChange);
    const collection = collections.get(number)?.collection;
    // A transaction may have outlived the collection that it wrote to.
    if (!collection || (kind !== Entry.put && kind !== Entry.remove)) continue;
    store.autocommit.put(collection.recordOf(decode(raw)['_id']), kind === Entry.put ? raw : null);
  }
  store.durable().catch(() => undefined);
}

function change(store: Store, collections: Map<number, Converted>, { op, id, ns, ...given }: CatalogChange): void {
  const { spec, name, options = {} } = given;
  if (op === 'create')
    collections.set(id, { collection: store.create(ns, store.autocommit), indexes: new Map(), options });
  const converted = collections.get(id);
  if (!converted) return;
  if (op === 'options') converted.options = options;
  else if (op === 'dropIndex') converted.indexes.delete(name);
  else if (op === 'addIndex' || op === 'changeIndex') converted.indexes.set(spec.name, spec);
  else if (op === 'drop') {
    store.drop(converted.collection);
    collections.delete(id);
  }
}
