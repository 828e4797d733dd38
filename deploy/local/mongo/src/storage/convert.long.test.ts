import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { AppendLog } from '@tautan/append-log';
import { UUID } from 'bson';
import { DirectEngine, rejection } from '../engine.test.fixtures.js';
import { Engine } from '../engine.js';
import { encode } from '../language/encode.js';
import { documentOf, type Document } from '../language/values.js';

let dataDir: string;
let path: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mongo-convert-'));
  path = join(dataDir, 'engine.log');
});
afterEach(() => rm(dataDir, { recursive: true }));

const [put, remove, catalog, session] = [1, 2, 3, 4] as const;

/** An entry of a record of the log, as the version before wrote it. */
function entry(kind: number, collection: number, document: Document): Buffer {
  const head = Buffer.alloc(5);
  head[0] = kind;
  head.writeInt32LE(collection, 1);
  return Buffer.concat([head, encode(documentOf(document))]);
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

async function checkConverted(): Promise<void> {
  const direct = await DirectEngine.open(dataDir);
  expect(await direct.all('a')).toEqual([
    { _id: 1, n: 1, tags: ['x', 'y'] },
    { _id: 2, n: 20 },
  ]);
  expect(await direct.run({ count: 'a' })).toMatchObject({ n: 2 });
  expect((await direct.run({ find: 'a', filter: { tags: 'y' } }))['documents']).toMatchObject([{ _id: 1 }]);
  expect(await direct.run({ validate: 'a' })).toMatchObject({
    valid: true,
    keysPerIndex: { _id_: 2, n_1: 2, tags_1: 3 },
  });
  expect(await direct.run({ insert: 'a', documents: [{ _id: 4, n: 20 }] })).toMatchObject({
    writeErrors: [{ code: 11000 }],
  });
  expect((await direct.run({ listCollections: 1, nameOnly: true }))['documents']).toMatchObject([{ name: 'a' }]);
  await direct.close();
}

test('the log of an earlier version becomes a data file at the first start, and is kept', async () => {
  await writeLog(...history);
  const before = await readFile(path);
  await checkConverted();
  expect((await readdir(dataDir)).sort()).toEqual(['data.mdb', 'data.mdb-lock', 'engine.log.converted', 'journal.log']);
  expect(await readFile(`${path}.converted`)).toEqual(before);
  await checkConverted();
});

test('a conversion that a kill interrupted begins anew', async () => {
  await writeLog(...history);
  await mkdir(join(dataDir, 'converting'));
  await writeFile(join(dataDir, 'converting', 'data.mdb'), 'half of it');
  await checkConverted();
});

test('a damaged log refuses the start with its offset, and is left as it is; a repair converts what is whole', async () => {
  await writeLog(...history);
  const bytes = await readFile(path);
  bytes[bytes.indexOf('test.dropped')]! ^= 4;
  await writeFile(path, bytes);
  expect((await rejection(DirectEngine.open(dataDir))).message).toMatch(/engine\.log is damaged at offset \d+/);
  expect(await readFile(path)).toEqual(bytes);
  const told: string[] = [];
  const engine = await Engine.open(dataDir, (_, message) => told.push(message), 3600, { repair: true });
  engine.beginStop();
  await engine.close();
  expect(told.join('\n')).toMatch(/engine\.log: repaired; removed [^]*was converted to/);
  await checkConverted();
});

test('options of collections that are not supported, such as validators, are reported', async () => {
  const create = (id: number, options: Document): Buffer[] => [
    entry(catalog, id, { op: 'create', id, ns: `test.c${id}`, uuid: new UUID(), options }),
  ];
  const changed = entry(catalog, 2, { op: 'options', id: 2, options: { validator: { b: 1 }, validationLevel: 'off' } });
  await writeLog(create(1, { validator: { a: 1 } }), create(2, {}), [changed], create(3, {}));
  const told: string[] = [];
  const engine = await Engine.open(dataDir, (_, message) => told.push(message), 3600);
  engine.beginStop();
  await engine.close();
  const without = 'was converted without its options, which are not supported';
  expect(told.filter((message) => message.includes(without))).toEqual([
    `test.c1 ${without}: validator`,
    `test.c2 ${without}: validator, validationLevel`,
  ]);
});
