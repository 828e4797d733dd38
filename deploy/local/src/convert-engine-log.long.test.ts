import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppendLog } from '@tautan/append-log';
import { startMongo } from '@tautan/local-mongo';
import { BSON, Int32, MongoClient, UUID, type Document } from 'mongodb';
import { convertEngineLog } from './convert-engine-log.js';

let dataDir: string;
let path: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tautan-convert-'));
  path = join(dataDir, 'engine.log');
});
afterEach(() => rm(dataDir, { recursive: true }));

const [put, remove, catalog, session] = [1, 2, 3, 4] as const;

/** One entry of a log record, as earlier versions wrote it. A record can have several entries. */
function entry(kind: number, collection: number, document: Document): Buffer {
  const head = Buffer.alloc(5);
  head[0] = kind;
  head.writeInt32LE(collection, 1);
  return Buffer.concat([head, BSON.serialize(document)]);
}

async function writeLog(...records: Buffer[][]): Promise<void> {
  const log = await AppendLog.open(path, { onRecord: () => undefined, onLoss: () => undefined });
  for (const record of records) await log.append(Buffer.concat(record));
  await log.close();
}

const index = (name: string, field: string, more: Document = {}): Document => ({
  v: 2,
  key: { [field]: 1 },
  name,
  ...more,
});

const history = [
  [entry(catalog, 1, { op: 'create', id: 1, ns: 'test.a', uuid: new UUID(), options: {} })],
  [entry(catalog, 1, { op: 'addIndex', id: 1, spec: index('n_1', 'n', { unique: true }) })],
  [entry(catalog, 1, { op: 'addIndex', id: 1, spec: index('tags_1', 'tags') })],
  [entry(catalog, 1, { op: 'addIndex', id: 1, spec: index('gone_1', 'gone') })],
  [entry(put, 1, { _id: 1, n: 1, tags: ['x', 'y'] }), entry(put, 1, { _id: 2, n: 2 })],
  [entry(put, 1, { _id: 2, n: 20 }), entry(put, 1, { _id: 3, n: 3 }), entry(session, 0, { lsid: { id: new UUID() } })],
  [entry(remove, 1, { _id: 3 }), entry(catalog, 1, { op: 'dropIndex', id: 1, name: 'gone_1' })],
  [entry(catalog, 2, { op: 'create', id: 2, ns: 'test.dropped', uuid: new UUID(), options: {} })],
  [entry(put, 2, { _id: 1 })],
  [entry(catalog, 2, { op: 'drop', id: 2, ns: 'test.dropped' }), entry(put, 2, { _id: 2 })],
  [entry(catalog, 1, { op: 'options', id: 1, options: {} })],
];

const reports: string[] = [];
const convert = (repair = false) =>
  convertEngineLog(dataDir, { repair, report: (message) => void reports.push(message) });

async function checkConverted(): Promise<void> {
  const mongo = await startMongo({ dataDir });
  const client = await new MongoClient(mongo.uri).connect();
  const db = client.db('test');
  expect(await db.collection('a').find({}, { promoteValues: false }).sort({ _id: 1 }).toArray()).toEqual([
    { _id: new Int32(1), n: new Int32(1), tags: ['x', 'y'] },
    { _id: new Int32(2), n: new Int32(20) },
  ]);
  expect(await db.command({ validate: 'a' })).toMatchObject({
    valid: true,
    keysPerIndex: { _id_: 2, n_1: 2, tags_1: 3 },
  });
  await expect(db.collection('a').insertOne({ n: 20 })).rejects.toMatchObject({ code: 11000 });
  expect(await db.listCollections({}, { nameOnly: true }).toArray()).toMatchObject([{ name: 'a' }]);
  await client.close();
  await mongo.stop();
}

test('converts the log of an earlier version to data files, and keeps the log', async () => {
  await writeLog(...history);
  const before = await readFile(path);
  await convert();
  expect((await readdir(dataDir)).sort()).toEqual(['data.mdb', 'engine.log.converted', 'journal.log']);
  expect(await readFile(`${path}.converted`)).toEqual(before);
  await checkConverted();
});

test('starts over after an interrupted conversion', async () => {
  await writeLog(...history);
  await mkdir(join(dataDir, 'converting'));
  await writeFile(join(dataDir, 'converting', 'data.mdb'), 'a part of it');
  await convert();
  await checkConverted();
});

test('finishes a conversion that was interrupted after its last data file was moved', async () => {
  await writeLog(...history);
  await convert();
  await rename(`${path}.converted`, path);
  await mkdir(join(dataDir, 'converting'));
  await convert();
  expect((await readdir(dataDir)).sort()).toEqual(['data.mdb', 'engine.log.converted', 'journal.log']);
  await checkConverted();
});

test('reports the offset of damage and leaves the log unchanged; a repair converts the rest', async () => {
  await writeLog(...history);
  const bytes = await readFile(path);
  bytes[bytes.indexOf('test.dropped')]! ^= 4;
  await writeFile(path, bytes);
  await expect(convert()).rejects.toThrow(/engine\.log is damaged at offset \d+/);
  expect(await readFile(path)).toEqual(bytes);
  await convert(true);
  expect(reports.join('\n')).toMatch(/engine\.log: repaired; removed [^]*was converted and is kept/);
  await checkConverted();
});

test('reports unsupported collection options', async () => {
  const create = (id: number, options: Document): Buffer[] => [
    entry(catalog, id, { op: 'create', id, ns: `test.c${id}`, uuid: new UUID(), options }),
  ];
  const changed = entry(catalog, 2, { op: 'options', id: 2, options: { validator: { b: 1 }, validationLevel: 'off' } });
  await writeLog(create(1, { validator: { a: 1 } }), create(2, {}), [changed], create(3, {}));
  reports.length = 0;
  await convert();
  const without = 'was converted without its unsupported options';
  expect(reports.filter((message) => message.includes(without))).toEqual([
    `test.c1 ${without}: validator`,
    `test.c2 ${without}: validator, validationLevel`,
  ]);
});
