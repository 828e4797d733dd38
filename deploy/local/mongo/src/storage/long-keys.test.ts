import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Collection, MongoClient } from 'mongodb';
import { DirectEngine, rejection, TestEngine } from '../engine.test.fixtures.js';
import { prefixOf } from './keys.js';

interface Page {
  _id: string;
  url: string;
  site: number;
}

let engine: TestEngine;
let client: MongoClient;
let pages: Collection<Page>;
// Longer than the maximum key size of LMDB, and different only at the end.
const long = (end: string): string => `https://example.com/${'x'.repeat(3_000)}${end}`;
const ends = ['b', 'a', 'd', 'c', 'aa'];

beforeAll(async () => {
  engine = await TestEngine.start();
  client = await engine.client();
  pages = await engine.collection();
  await pages.createIndex({ site: 1, url: 1 }, { unique: true });
  await pages.createIndex({ url: 1 });
  await pages.insertMany(ends.map((end, site) => ({ _id: long(`id-${end}`), url: long(end), site: site % 2 })));
  await pages.insertOne({ _id: 'short', url: 'https://example.com/', site: 0 });
});
afterAll(() => engine.stop());

const urls = async (filter: object, direction: 1 | -1 = 1): Promise<string[]> =>
  (await pages.find(filter).sort({ url: direction }).toArray()).map(({ url }) => url.slice(long('').length));

test('values longer than the maximum key size are found, compared and sorted by all their characters', async () => {
  expect(await urls({})).toEqual(['', 'a', 'aa', 'b', 'c', 'd']);
  expect(await urls({}, -1)).toEqual(['d', 'c', 'b', 'aa', 'a', '']);
  expect(await urls({ url: { $gt: long('a'), $lt: long('d') } })).toEqual(['aa', 'b', 'c']);
  expect(await urls({ url: long('b') })).toEqual(['b']);
  expect(await urls({ url: { $in: [long('b'), long('x'), 'https://example.com/'] } })).toEqual(['', 'b']);
  expect(await urls({ site: 1, url: { $gte: long('a') } })).toEqual(['a', 'c']);
  expect(await pages.findOne({ _id: long('id-d') })).toMatchObject({ url: long('d') });
});

test('a duplicate of a long unique key is rejected, and a transaction can reuse a key that it has freed', async () => {
  const duplicate: Page = { _id: 'other', url: long('b'), site: 0 };
  expect((await rejection(pages.insertOne(duplicate))).code).toBe(11000);
  expect((await rejection(pages.insertOne({ ...duplicate, _id: long('id-b'), site: 7 }))).code).toBe(11000);
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await pages.updateOne({ site: 0, url: long('b') }, { $set: { url: long('e') } }, { session });
      expect(await pages.countDocuments({ url: { $gte: long('d') } }, { session })).toBe(2);
      await pages.insertOne(duplicate, { session });
    }),
  );
  expect(await urls({ site: 0 })).toEqual(['', 'aa', 'b', 'd', 'e']);
  await pages.deleteOne({ _id: 'other' });
  await pages.updateOne({ url: long('e') }, { $set: { url: long('b') } });
});

test('the indexes agree with the documents after a restart', async () => {
  const { dbName, collectionName } = pages;
  await engine.restart();
  const db = (await engine.client()).db(dbName);
  pages = db.collection(collectionName);
  expect(await db.command({ validate: collectionName })).toMatchObject({ valid: true, nrecords: 6, errors: [] });
  expect(await urls({ url: { $lt: long('c') } })).toEqual(['', 'a', 'aa', 'b']);
});

test('values that nearly fill a key are told apart by their last character', async () => {
  const near = (end: string): string => `https://example.com/${'x'.repeat(1_930)}${end}`;
  const links = await engine.collection<Page>();
  await links.createIndex({ url: 1 });
  await links.createIndex({ site: 1, url: -1 }, { unique: true });
  await links.insertMany(['a', 'b', 'c'].map((end) => ({ _id: end, url: near(end), site: 1 })));
  const ids = async (filter: object): Promise<string[]> => (await links.find(filter).toArray()).map(({ _id }) => _id);
  expect(await ids({ url: near('a') })).toEqual(['a']);
  expect(await ids({ url: { $in: [near('c'), near('a')] } })).toEqual(['a', 'c']);
  expect(await ids({ url: { $gt: near('a'), $lte: near('b') } })).toEqual(['b']);
  expect(await ids({ site: 1, url: { $gt: near('b') } })).toEqual(['c']);
  await links.updateOne({ url: near('b') }, { $set: { site: 2 } });
  expect(await ids({ site: 2 })).toEqual(['b']);
  await links.findOneAndDelete({ url: near('c') });
  await links.deleteOne({ url: near('b') });
  expect(await ids({})).toEqual(['a']);
});

test('values of _id longer than the maximum key size are compared and sorted by all their characters', async () => {
  const idOf = (end: string): string => long(`id-${end}`);
  const ids = async (filter: object, direction: 1 | -1 = 1): Promise<string[]> =>
    (await pages.find(filter).sort({ _id: direction }).toArray()).map(({ _id }) => _id.slice(idOf('').length));
  expect(await ids({ url: { $ne: 'https://example.com/' } })).toEqual(['a', 'aa', 'b', 'c', 'd']);
  expect(await ids({ _id: { $gt: idOf('a'), $lt: idOf('d') } }, -1)).toEqual(['c', 'b', 'aa']);
  expect(await pages.countDocuments({ _id: { $gte: idOf('c') } })).toBe(3);
});

test('a range of long _id values is exact even if the data file does not mark the _id index as multikey', async () => {
  let direct = await DirectEngine.open(await mkdtemp(join(tmpdir(), 'mongo-test-')));
  await direct.run({ insert: 'c', documents: ['a', 'b', 'c'].map((end) => ({ _id: long(end) })) });
  const { store } = direct.engine;
  store.autocommit.put(prefixOf('multikey', store.catalog.byNs.get('test.c')!.number), null);
  direct = await direct.reopen();
  expect(direct.engine.store.catalog.byNs.get('test.c')!.idIndex.multikey).toBe(false);
  expect(await direct.run({ find: 'c', filter: { _id: { $lt: long('b') } } })).toMatchObject({
    documents: [{ _id: long('a') }],
  });
  await direct.close();
  await rm(direct.dataDir, { recursive: true });
});
