import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Document } from '../language/values.js';
import { DirectEngine } from '../engine.test.fixtures.js';
import { SessionTable } from '../sessions/session-table.js';
import { startMongo } from '../server.js';
import { Store } from './store.js';

let dataDir: string;
let losses: string[];
let path: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mongo-damage-'));
  path = join(dataDir, 'engine.log');
});
afterEach(() => rm(dataDir, { recursive: true }));

const emptied = async (): Promise<void> => {
  losses = [];
  await rm(dataDir, { recursive: true });
  await mkdir(dataDir);
};

/** The log of these commands, and where each command's record begins. */
async function logOf(...commands: Document[]): Promise<{ log: Buffer; starts: number[] }> {
  const direct = await DirectEngine.open(dataDir);
  const starts: number[] = [];
  for (const command of commands) {
    starts.push(direct.engine.store.logBytes);
    expect(await direct.run(command)).toMatchObject({ ok: 1 });
  }
  await direct.close();
  return { log: await readFile(path), starts };
}

/** Opens the damaged log as a start with --repair does. */
async function repaired(log: Buffer, at: number): Promise<void> {
  await emptied();
  const damaged = Buffer.from(log);
  damaged[at]! ^= 1 << (at % 8);
  await writeFile(path, damaged);
  const open = (repair: boolean) => Store.open(dataDir, new SessionTable(), repair, (message) => losses.push(message));
  const store = await open(false).catch(async (error: Error) => {
    expect(error.message).toContain(`${path} is damaged at offset`);
    expect(await readFile(path)).toEqual(damaged);
    return open(true);
  });
  await store.close();
}

const insert = (_id: number, more: Document = {}): Document => ({ insert: 'a', documents: [{ _id, ...more }] });

test('a log with any byte changed is refused or cut, loses one change at most, and reports it', async () => {
  const { log, starts } = await logOf({ create: 'a' }, insert(1), insert(2), insert(3));
  for (let at = 0; at < log.length; at++) {
    await repaired(log, at);
    const hit = starts.findLastIndex((start) => start <= at);
    const direct = await DirectEngine.open(dataDir);
    const ids = (await direct.all('a')).map(({ _id }) => _id);
    await direct.close();
    // Without the collection's creation nothing says what the documents belong to.
    if (hit === 0)
      expect([ids, losses[1]]).toEqual([[], expect.stringMatching(/^3 changes of documents were dropped/)]);
    else expect(ids).toEqual([1, 2, 3].filter((id) => id !== hit));
    expect(losses[0]).toContain(path);
  }
}, 60_000);

test('a log that ends at any byte keeps every whole change, and reports what is cut', async () => {
  const { log, starts } = await logOf({ create: 'a' }, insert(1), insert(2), insert(3));
  const ends = [...starts.slice(1), log.length];
  for (let length = 0; length < log.length; length++) {
    await emptied();
    await writeFile(path, log.subarray(0, length));
    const store = await Store.open(dataDir, new SessionTable(), false, (message) => losses.push(message));
    await store.close();
    const direct = await DirectEngine.open(dataDir);
    const ids = (await direct.all('a')).map(({ _id }) => _id);
    await direct.close();
    expect(ids).toEqual([1, 2, 3].filter((id) => ends[id]! <= length));
    const isBetweenChanges = length === starts[0] || ends.includes(length);
    if (!isBetweenChanges) expect(losses[0]).toContain(path);
  }
}, 60_000);

test('a repair drops a unique index that cannot be built without the lost change, and says so', async () => {
  const index = { createIndexes: 'a', indexes: [{ key: { n: 1 }, name: 'n_1', unique: true }] };
  const remove = { delete: 'a', deletes: [{ q: { _id: 1 }, limit: 1 }] };
  const { log, starts } = await logOf({ create: 'a' }, index, insert(1, { n: 7 }), remove, insert(2, { n: 7 }));
  await repaired(log, starts[3]! + 12);
  expect(losses[1]).toBe('the index n_1 of test.a was dropped: two documents have the same key');
  const direct = await DirectEngine.open(dataDir);
  expect(await direct.all('a')).toHaveLength(2);
  expect(await direct.run({ validate: 'a' })).toMatchObject({ valid: true, keysPerIndex: { _id_: 2 } });
  await direct.close();
});

test('a damaged log refuses the start, naming file, offset and remedy; `repair` allows it', async () => {
  const { log, starts } = await logOf({ create: 'a' }, insert(1), insert(2), insert(3));
  await emptied();
  log[starts[2]! + 12]! ^= 1;
  await writeFile(path, log);
  await expect(startMongo({ dataDir })).rejects.toThrow(
    `the data folder ${dataDir} cannot be read: ${path} is damaged at offset ${starts[2]}, and 1 whole record can be read`,
  );
  const lines: string[] = [];
  const mongo = await startMongo({ dataDir, repair: true, log: (level, message) => lines.push(`${level} ${message}`) });
  expect(lines).toEqual([expect.stringMatching(/^warn .*engine\.log: repaired; dropped \d+ bytes at offset \d+/)]);
  await mongo.stop();
});
