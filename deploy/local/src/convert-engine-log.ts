import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppendLog } from '@tautan/append-log';
import { startMongo } from '@tautan/local-mongo';
import { BSON, MongoClient, type Db, type Document, type IndexSpecification } from 'mongodb';

/** The kinds of log entries to convert: a whole document, the `_id` of a removed document, a change to the catalog. */
const Entry = { put: 1, remove: 2, catalog: 3 } as const;
/** Size of the header before each BSON document: the kind (1 byte) and the collection's id (4 bytes, little endian). */
const HEADER_BYTES = 5;
const MAX_PAYLOAD_BYTES = 512 * 1024 * 1024;
const BATCH_SIZE = 1_000;
/** Preserves the BSON types of numbers. */
const EXACT = { promoteValues: false } as const;

interface CatalogChange {
  op: 'create' | 'drop' | 'options' | 'addIndex' | 'changeIndex' | 'dropIndex';
  id: number;
  ns: string;
  spec: { name: string; key: IndexSpecification; v?: number };
  name: string;
  options?: Document;
}

interface Collection {
  ns: string;
  /** BSON documents by `_id`. */
  documents: Map<string, Uint8Array>;
  indexes: Map<string, CatalogChange['spec']>;
  options: Document;
}

interface Options {
  /** Omits damaged records instead of rejecting with DamagedLogError. */
  repair: boolean;
  report: (message: string) => void;
}

/**
 * Converts the log that earlier versions of the embedded engine wrote (`engine.log`) to data files, and keeps the log
 * as `engine.log.converted`. A conversion that was interrupted before its last data file was moved starts over. All
 * documents must fit in memory, as they had to in those versions.
 */
export async function convertEngineLog(dataDir: string, { repair, report }: Options): Promise<void> {
  const path = join(dataDir, 'engine.log');
  if (!existsSync(path)) return;
  const folder = join(dataDir, 'converting');
  if (!existsSync(join(dataDir, 'data.mdb'))) {
    const collections = await readLog(path, { repair, report });
    await convert(dataDir, folder, collections, report);
  } else if (!existsSync(folder)) return;
  await rename(path, `${path}.converted`);
  await rm(folder, { recursive: true });
  report(`${path} was converted and is kept as ${path}.converted`);
}

/** Writes the data files in `folder`, then moves them to `dataDir`. */
async function convert(
  dataDir: string,
  folder: string,
  collections: Collection[],
  report: Options['report'],
): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  const mongo = await startMongo({ dataDir: folder });
  const client = await new MongoClient(mongo.uri).connect();
  for (const [done, collection] of collections.entries()) {
    const { ns, options } = collection;
    report(`converting the data of an earlier version: ${ns} (${done + 1} of ${collections.length})`);
    const [database, ...name] = ns.split('.');
    await insert(client.db(database), name.join('.'), collection);
    const unsupported = Object.keys(options).join(', ');
    if (unsupported) report(`${ns} was converted without its unsupported options: ${unsupported}`);
  }
  await client.close();
  await mongo.stop();
  // The data file is renamed last, because its presence marks the conversion as complete.
  for (const name of ['journal.log', 'data.mdb']) await rename(join(folder, name), join(dataDir, name));
}

async function readLog(path: string, { repair, report }: Options): Promise<Collection[]> {
  const collections = new Map<number, Collection>();
  const log = await AppendLog.open(path, {
    onRecord: (record) => replay(collections, record),
    onLoss: ({ message }) => report(message),
    maxPayloadBytes: MAX_PAYLOAD_BYTES,
    repair,
  });
  await log.close();
  return [...collections.values()];
}

function replay(collections: Map<number, Collection>, record: Buffer): void {
  for (let at = 0; at < record.length;) {
    const end = at + HEADER_BYTES + record.readInt32LE(at + HEADER_BYTES);
    const [kind, collectionId, raw] = [
      record[at]!,
      record.readInt32LE(at + 1),
      record.subarray(at + HEADER_BYTES, end),
    ];
    at = end;
    if (kind === Entry.catalog) applyChange(collections, BSON.deserialize(raw) as CatalogChange);
    // `documents` is undefined if a transaction outlived the collection that it wrote to.
    const documents = collections.get(collectionId)?.documents;
    if (kind === Entry.put) documents?.set(idOf(raw), Uint8Array.from(raw));
    if (kind === Entry.remove) documents?.delete(idOf(raw));
  }
}

/** Returns a key that is the same for equal ids of the same type. */
function idOf(raw: Uint8Array): string {
  const { _id } = BSON.deserialize(raw, EXACT) as { _id: unknown };
  return Buffer.from(BSON.serialize({ _id })).toString('latin1');
}

function applyChange(
  collections: Map<number, Collection>,
  { op, id, ns, spec, name, options = {} }: CatalogChange,
): void {
  if (op === 'create') collections.set(id, { ns, documents: new Map(), indexes: new Map(), options });
  const collection = collections.get(id);
  if (op === 'drop') collections.delete(id);
  if (op === 'options' && collection) collection.options = options;
  if (op === 'dropIndex') collection?.indexes.delete(name);
  if (op === 'addIndex' || op === 'changeIndex') collection?.indexes.set(spec.name, spec);
}

async function insert(db: Db, name: string, { documents, indexes }: Collection): Promise<void> {
  const collection = await db.createCollection(name);
  const all = [...documents.values()];
  for (let at = 0; at < all.length; at += BATCH_SIZE)
    await collection.insertMany(all.slice(at, at + BATCH_SIZE).map((raw) => BSON.deserialize(raw, EXACT)));
  for (const { key, v: _, ...options } of indexes.values()) await collection.createIndex(key, options);
}
