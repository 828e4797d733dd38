import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { rejection } from '../engine.test.fixtures.js';
import { Changes } from './changes.js';
import { Database } from './database.js';

let parent: string;
let folder: string;
/** A copy of the folder in the state in which a kill leaves it. */
let killed: string;
let journal: string;
let warnings: string[];
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'mongo-journal-'));
  folder = join(parent, 'running');
  killed = join(parent, 'killed');
  await mkdir(folder);
  journal = join(killed, 'journal.log');
  warnings = [];
});
afterEach(() => rm(parent, { recursive: true }));

const open = (path: string, repair = false): Promise<Database> =>
  Database.open(path, (message) => warnings.push(message), repair);
const key = (number: number): string => `d\0\0\0${String.fromCharCode(1, number)}`;
const value = (number: number): Buffer => Buffer.from(`the value of ${number}`);

/**
 * Writes keys 1 to 9 and deletes key 2, waiting for each acknowledgement; the first three keys are also written to the
 * data file. Then writes key 10 and simulates a kill before it is acknowledged.
 */
async function writeAndKill(): Promise<void> {
  const database = await open(folder);
  for (let number = 1; number < 10; number += 1) {
    database.set(key(number), value(number));
    await database.durable();
    if (number === 3) await database.checkpointed();
  }
  database.set(key(2), null);
  await database.durable();
  database.set(key(10), value(10));
  await cp(folder, killed, { recursive: true });
  await database.close();
}

async function stored(path: string, repair = false): Promise<number[]> {
  const database = await open(path, repair);
  const found = Array.from(database.latest.range(key(0), key(99)), (record) => {
    const number = record.key.charCodeAt(5);
    expect(record.value).toEqual(value(number));
    return number;
  });
  await database.close();
  return found;
}

const acknowledged = [1, 3, 4, 5, 6, 7, 8, 9];

test('restores exactly the acknowledged writes after a kill, on every restart', async () => {
  await writeAndKill();
  const second = join(parent, 'second');
  const database = await open(killed);
  await cp(killed, second, { recursive: true });
  await database.close();
  for (const path of [killed, second, killed]) expect(await stored(path)).toEqual(acknowledged);
  expect(warnings).toEqual([]);
});

test('a snapshot does not change when later changes are written to the data file', async () => {
  const database = await open(folder);
  database.set(key(1), value(1));
  const own = new Changes();
  const snapshot = database.snapshot(own);
  own.set(key(5), value(5));
  for (const number of [1, 2, 3]) {
    database.set(key(1), number === 2 ? null : Buffer.from('newer'));
    database.set(key(number + 1), value(number + 1));
    await database.durable();
    await database.checkpointed();
    expect(Array.from(snapshot.range(key(0), key(99)), (record) => record.key)).toEqual([key(1), key(5)]);
    expect(snapshot.get(key(1))).toEqual(value(1));
  }
  snapshot.close();
  await database.close();
});

test('a record that a kill truncated is omitted with a warning', async () => {
  await writeAndKill();
  const bytes = await readFile(journal);
  await writeFile(journal, bytes.subarray(0, -3));
  expect(await stored(killed)).toEqual([1, 2, ...acknowledged.slice(1)]);
  expect(warnings).toEqual([expect.stringMatching(/journal\.log.*offset/)]);
});

test('a damaged journal prevents the start; --repair keeps a copy and omits the damaged record', async () => {
  await writeAndKill();
  const bytes = await readFile(journal);
  bytes[bytes.indexOf('the value of 7')]! ^= 1;
  await writeFile(journal, bytes);
  expect((await rejection(open(killed))).message).toMatch(/journal\.log.*damaged.*offset/);
  expect(await readFile(journal)).toEqual(bytes);
  expect(await stored(killed, true)).toEqual(acknowledged.filter((number) => number !== 7));
  expect((await readdir(killed)).filter((name) => name.startsWith('journal.log.'))).toHaveLength(1);
});

test('a data file without its journal prevents the start, and so does a journal without its data file', async () => {
  await writeAndKill();
  const other = join(parent, 'other');
  await mkdir(other);
  await (await open(other)).close();
  const bytes = await readFile(journal);
  await rm(journal);
  expect((await rejection(open(killed))).message).toMatch(/journal\.log is missing, empty or cut off/);
  for (const size of [0, 5, 31]) {
    await writeFile(journal, bytes.subarray(0, size));
    expect((await rejection(open(killed))).message).toMatch(/journal\.log is missing, empty or cut off/);
  }
  await cp(join(other, 'journal.log'), journal);
  expect((await rejection(open(killed))).message).toMatch(/journal\.log belongs to another data\.mdb/);
  await writeFile(journal, bytes);
  await rm(join(killed, 'data.mdb'));
  expect((await rejection(open(killed))).message).toMatch(/journal\.log belongs to a data\.mdb that is missing/);
});

const losses = [
  ['is missing', (path: string) => rm(path)],
  ['is empty', (path: string) => writeFile(path, '')],
] as const;

test.each(losses)('a data file that %s prevents the start, even after a clean stop', async (_, lose) => {
  await writeAndKill();
  const path = join(folder, 'data.mdb');
  const [data, bytes] = [await readFile(path), await readFile(join(folder, 'journal.log'))];
  await lose(path);
  const { message } = await rejection(open(folder));
  expect(message).toMatch(/journal\.log belongs to a data\.mdb that is missing, empty or damaged\. .*--repair/);
  expect(await readFile(join(folder, 'journal.log'))).toEqual(bytes);
  await writeFile(path, data);
  expect(await stored(folder)).toEqual([...acknowledged, 10]);
});

test.each(losses)(
  '--repair starts a new database with the changes of the journal if the data file %s',
  async (_, lose) => {
    await writeAndKill();
    const path = join(killed, 'data.mdb');
    const [data, bytes] = [await readFile(path), await readFile(journal)];
    await lose(path);
    expect(await stored(killed, true)).toEqual(acknowledged);
    expect(warnings).toEqual([expect.stringMatching(/journal\.log.*kept as .*journal\.log\.damaged\.1/)]);
    expect(await stored(killed)).toEqual(acknowledged);

    // The original data file belongs only to the original journal.
    await writeFile(path, data);
    expect((await rejection(open(killed))).message).toMatch(/journal\.log belongs to another data\.mdb/);
    expect(await readFile(`${journal}.damaged.1`)).toEqual(bytes);
    await writeFile(journal, bytes);
    expect(await stored(killed)).toEqual(acknowledged);
  },
);

test.each([
  ['is empty', (bytes: Buffer) => bytes.subarray(0, 0), [1, 2, 3]],
  ['is cut off', (bytes: Buffer) => bytes.subarray(0, 31), [1, 2, 3]],
  // Byte 20 is in the identity.
  ['lost its identity', (bytes: Buffer) => bytes.fill(0, 20, 21), acknowledged],
])('after --repair of a journal that %s, new changes survive a kill', async (_, damage, expected) => {
  await writeAndKill();
  await writeFile(journal, damage(await readFile(journal)));
  const database = await open(killed, true);
  database.set(key(20), value(20));
  await database.durable();
  const again = join(parent, 'again');
  await cp(killed, again, { recursive: true });
  await database.close();
  expect(await stored(again)).toEqual([...expected, 20]);
});

test('an empty journal with an empty data file prevents the start', async () => {
  await writeAndKill();
  await writeFile(journal, '');
  await writeFile(join(killed, 'data.mdb'), '');
  expect((await rejection(open(killed))).message).toMatch(/journal\.log is missing, empty or cut off/);
});

test('the journal is compacted when it is large, and contains no changes after a stop', async () => {
  const database = await open(folder);
  const large = Buffer.alloc(4 * 1024 * 1024, 'x');
  const path = join(folder, 'journal.log');
  for (let number = 0; number < 20; number += 1) {
    database.set(key(number), large);
    await database.durable();
    if (database.backlog > large.length * 2) await database.checkpointed();
  }
  expect((await readFile(path)).length).toBeLessThan(60 * 1024 * 1024);
  await database.close();
  expect((await readFile(path)).length).toBeLessThan(100);
  const again = await open(folder);
  expect([...again.latest.range(key(0), key(99), { keysOnly: true })]).toHaveLength(20);
  await again.close();
});
