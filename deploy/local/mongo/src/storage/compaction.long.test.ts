import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { UUID } from 'bson';
import { DirectEngine, eventually } from '../engine.test.fixtures.js';

let direct: DirectEngine;
beforeEach(async () => {
  direct = await DirectEngine.open(await mkdtemp(join(tmpdir(), 'mongo-compact-')));
});
afterEach(async () => {
  await direct.close();
  await rm(direct.dataDir, { recursive: true });
});

const logSize = async (): Promise<number> => (await stat(join(direct.dataDir, 'engine.log'))).size;

test('a compaction keeps what is there, what is written meanwhile, indexes, and what is known for retries', async () => {
  const lsid = { id: new UUID() };
  const text = 'x'.repeat(2000);
  await direct.run({ createIndexes: 'a', indexes: [{ key: { n: 1 }, name: 'n_1', unique: true }] });
  await direct.run({ create: 'empty' });
  await direct.run({ insert: 'a', documents: Array.from({ length: 1000 }, (_, _id) => ({ _id, n: _id, text })) });
  for (let i = 0; i < 5; i += 1)
    await direct.run({ update: 'a', updates: [{ q: {}, u: { $set: { text: text + i } }, multi: true }] });
  const once = { insert: 'a', documents: [{ _id: 5000, n: 5000 }], lsid, txnNumber: 3n };
  await direct.run(once);
  const before = await logSize();
  const compacting = direct.engine.store.compact();
  const open = { lsid: { id: new UUID() }, txnNumber: 1n, autocommit: false };
  await direct.run({ insert: 'a', documents: [{ _id: 6000, n: 6000 }], ...open, startTransaction: true });
  for (let i = 0; i < 200; i += 1) {
    await direct.run({ update: 'a', updates: [{ q: { _id: i }, u: { $set: { text: 'meanwhile' } } }] });
    await direct.run({ delete: 'a', deletes: [{ q: { _id: 999 - i }, limit: 1 }] });
    await direct.run({ insert: 'a', documents: [{ _id: 2000 + i, n: 2000 + i }] });
  }
  await direct.run({ drop: 'empty' });
  await direct.run({ commitTransaction: 1, $db: 'admin', ...open });
  await compacting;
  expect(await logSize()).toBeLessThan(before / 2);
  const expected = await direct.all('a');
  expect(expected).toHaveLength(1002);
  direct = await direct.reopen();
  expect(await direct.all('a')).toEqual(expected);
  expect(await direct.run({ validate: 'a' })).toMatchObject({ valid: true, keysPerIndex: { _id_: 1002, n_1: 1002 } });
  expect(await direct.run({ insert: 'a', documents: [{ _id: 9000, n: 5000 }] })).toMatchObject({
    writeErrors: [{ code: 11000 }],
  });
  expect(await direct.run(once)).toMatchObject({ n: 1, retriedStmtIds: [0] });
  expect(await direct.run({ commitTransaction: 1, $db: 'admin', ...open })).toEqual({ ok: 1 });
  expect((await direct.run({ listCollections: 1, nameOnly: true }))['documents']).toEqual([
    { name: 'a', type: 'collection' },
  ]);
});

test('the log is compacted by itself when more than half of it is garbage and it is large', async () => {
  const text = 'x'.repeat(1024 * 1024);
  for (let i = 0; i < 80; i += 1)
    await direct.run({ update: 'a', updates: [{ q: { _id: 1 }, u: { $set: { text, i } }, upsert: true }] });
  await eventually(async () => (await logSize()) < 32 * 1024 * 1024);
  direct = await direct.reopen();
  expect(await direct.all('a')).toEqual([{ _id: 1, text, i: 79 }]);
});
