import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DirectEngine, rejection } from '../engine.test.fixtures.js';
import { Engine } from '../engine.js';

let dataDir: string;
let path: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mongo-damage-'));
  path = join(dataDir, 'data.mdb');
  const direct = await DirectEngine.open(dataDir);
  await direct.run({ createIndexes: 'a', indexes: [{ key: { n: 1 }, name: 'n_1' }] });
  const documents = Array.from({ length: 200 }, (_, i) => ({
    _id: i,
    n: i,
    text: `the text of ${i}${'.'.repeat(500)}`,
  }));
  await direct.run({ insert: 'a', documents });
  await direct.close();
});
afterEach(() => rm(dataDir, { recursive: true }));

/** Flips one bit of the document that contains the text. */
async function damage(text: string): Promise<void> {
  const bytes = await readFile(path);
  const at = bytes.lastIndexOf(text);
  bytes[at]! ^= 1;
  await writeFile(path, bytes);
}

/** Flips one bit of every occurrence of the text. Some occurrences may be in pages that are no longer in use. */
async function damageAll(text: string): Promise<void> {
  const bytes = await readFile(path);
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + 1]! ^= 1;
  await writeFile(path, bytes);
}

/** Replaces the number of the last page, which both meta pages contain, with a number that no file can have. */
async function damageMetaPages(): Promise<void> {
  const bytes = await readFile(path);
  const pageBytes = bytes.readUInt32LE(48);
  for (const start of [0, pageBytes]) bytes[start + 151] = 0xff;
  await writeFile(path, bytes);
}

/** Repairs the file. Returns the messages. */
async function repaired(): Promise<string[]> {
  const messages: string[] = [];
  const engine = await Engine.open(dataDir, (_, message) => messages.push(message), 3600, { repair: true });
  engine.beginStop();
  await engine.close();
  return messages;
}

test('reading a damaged document fails with an error that names its collection and key; other documents are readable', async () => {
  await damage('the text of 77.');
  const direct = await DirectEngine.open(dataDir);
  const reply = await direct.run({ find: 'a', filter: { _id: 77 } });
  expect(reply).toMatchObject({ ok: 0, codeName: 'DataCorruptionDetected' });
  expect(reply['errmsg']).toMatch(/^a record of test\.a is damaged: key "d/);
  expect(await direct.run({ find: 'a', filter: { n: 77 } })).toMatchObject({ ok: 0, code: 366 });
  for (const _id of [76, 78])
    expect((await direct.run({ find: 'a', filter: { _id } }))['documents']).toMatchObject([{ _id, n: _id }]);
  expect(await direct.run({ validate: 'a' })).toMatchObject({ ok: 0, code: 366 });
  await direct.close();
});

test('--repair removes damaged records, keeps a copy of the file, and rebuilds the indexes', async () => {
  await damage('the text of 77.');
  const before = await readFile(path);
  const messages: string[] = [];
  const engine = await Engine.open(dataDir, (_, message) => messages.push(message), 3600, { repair: true });
  engine.beginStop();
  await engine.close();
  expect(messages.at(-1)).toMatch(
    /data\.mdb: repaired; removed 1 damaged record; the original file is kept as .*data\.mdb\.damaged\.1$/,
  );
  expect(await readFile(`${path}.damaged.1`)).toEqual(before);
  const direct = await DirectEngine.open(dataDir);
  expect((await direct.all('a')).map(({ _id }) => _id)).toEqual(
    Array.from({ length: 200 }, (_, i) => i).filter((i) => i !== 77),
  );
  expect(await direct.run({ validate: 'a' })).toMatchObject({ valid: true, nrecords: 199, errors: [] });
  await direct.close();
});

test('--repair moves the documents of a collection with a damaged definition to a new collection without the old indexes', async () => {
  let direct = await DirectEngine.open(dataDir);
  await direct.run({ insert: 'other', documents: [{ _id: 1, n: 1 }] });
  await direct.run({ createIndexes: 'other', indexes: [{ key: { n: 1 }, name: 'n_1' }] });
  await direct.run({ create: 'dropped' });
  await direct.run({ drop: 'dropped' });
  await direct.close();
  await damageAll('test.a\0');
  const { message } = await rejection(DirectEngine.open(dataDir));
  expect(message).toMatch(/^a record outside of the collections is damaged: key "c/);
  const messages = await repaired();
  const [, orphan] = /collection without a definition are now in local\.(orphan\.\d+)$/.exec(messages.at(-1)!)!;
  direct = await DirectEngine.open(dataDir);
  const validated = { valid: true, errors: [] };
  expect(await direct.run({ validate: orphan, $db: 'local' })).toMatchObject({ ...validated, nrecords: 200 });
  expect(await direct.run({ find: orphan, $db: 'local', filter: { n: 5 } })).toMatchObject({ documents: [{ _id: 5 }] });
  expect(await direct.run({ validate: 'other' })).toMatchObject({ ...validated, nrecords: 1 });
  await direct.run({ insert: 'a', documents: [{ _id: 1, n: 1 }] });
  await direct.run({ createIndexes: 'a', indexes: [{ key: { n: 1 }, name: 'n_1' }] });
  expect(await direct.run({ validate: 'a' })).toMatchObject({ ...validated, nrecords: 1 });
  await direct.close();
  expect(await repaired()).toEqual([]);
});

test('a damaged document does not expire; other documents do', async () => {
  let direct = await DirectEngine.open(dataDir);
  await direct.run({
    createIndexes: 'a',
    indexes: [{ key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 }],
  });
  const documents = ['first', 'second', 'third'].map((_id, i) => ({ _id, at: new Date(i), text: `expired ${_id}` }));
  await direct.run({ insert: 'a', documents });
  await direct.close();
  await damage('expired second');
  direct = await DirectEngine.open(dataDir);
  expect(direct.engine.ttl.pass()).toBe(2);
  expect(direct.engine.ttl.pass()).toBe(0);
  expect(await direct.run({ find: 'a', filter: { _id: 'second' } })).toMatchObject({ code: 366 });
  await direct.close();
});

test('a repair of an undamaged file changes no document and leaves no copy', async () => {
  const engine = await Engine.open(dataDir, () => undefined, 3600, { repair: true });
  engine.beginStop();
  await engine.close();
  expect((await readdir(dataDir)).filter((name) => name.includes('damaged'))).toEqual([]);
  const direct = await DirectEngine.open(dataDir);
  expect(await direct.run({ validate: 'a' })).toMatchObject({ valid: true, nrecords: 200, errors: [] });
  await direct.close();
});

test.each([
  [
    'is not a data file',
    async () => writeFile(path, Buffer.alloc(100_000, 'not a data file ')),
    /is not a data file of this engine/,
  ],
  ['is cut off', async () => truncate(path, 8_192), /is cut off at offset 8192 of \d+/],
  ['has a damaged beginning', damageMetaPages, /is not a data file of this engine, or its beginning is damaged/],
])('a file that %s prevents the start and is not changed', async (_, change, message) => {
  const direct = await DirectEngine.open(dataDir);
  // Enough pages that a crash cannot have caused the truncation.
  for (let i = 0; i < 10; i += 1)
    await direct.run({ insert: 'a', documents: [{ _id: `large ${i}`, text: 'x'.repeat(300_000) }] });
  await direct.close();
  await change();
  const before = await readFile(path);
  expect((await rejection(DirectEngine.open(dataDir))).message).toMatch(message);
  expect(await readFile(path)).toEqual(before);
});
