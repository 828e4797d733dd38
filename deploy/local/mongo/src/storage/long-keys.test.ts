import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Collection, MongoClient } from 'mongodb';
import { rejection, TestEngine } from '../engine.test.fixtures.js';

interface Page {
  _id: string;
  url: string;
  site: number;
}

let engine: TestEngine;
let client: MongoClient;
let pages: Collection<Page>;
// Longer than the maximum key of LMDB, and different only at the end.
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
  (await pages.find(filter).sort({ url: direction }).toArray()).map(({ url }) => url.slice(3_020));

test('values longer than the maximum key are found, compared and sorted by their full length', async () => {
  expect(await urls({})).toEqual(['', 'a', 'aa', 'b', 'c', 'd']);
  expect(await urls({}, -1)).toEqual(['d', 'c', 'b', 'aa', 'a', '']);
  expect(await urls({ url: { $gt: long('a'), $lt: long('d') } })).toEqual(['aa', 'b', 'c']);
  expect(await urls({ url: long('b') })).toEqual(['b']);
  expect(await urls({ url: { $in: [long('b'), long('x'), 'https://example.com/'] } })).toEqual(['', 'b']);
  expect(await urls({ site: 1, url: { $gte: long('a') } })).toEqual(['a', 'c']);
  expect(await pages.findOne({ _id: long('id-d') })).toMatchObject({ url: long('d') });
});

test('a long unique key is unique, also in a transaction', async () => {
  const twice: Page = { _id: 'other', url: long('b'), site: 0 };
  expect((await rejection(pages.insertOne(twice))).code).toBe(11000);
  expect((await rejection(pages.insertOne({ ...twice, _id: long('id-b'), site: 7 }))).code).toBe(11000);
  await client.withSession((session) =>
    session.withTransaction(async () => {
      await pages.updateOne({ site: 0, url: long('b') }, { $set: { url: long('e') } }, { session });
      expect(await pages.countDocuments({ url: { $gte: long('d') } }, { session })).toBe(2);
      await pages.insertOne(twice, { session });
    }),
  );
  expect(await urls({ site: 0 })).toEqual(['', 'aa', 'b', 'd', 'e']);
  await pages.deleteOne({ _id: 'other' });
  await pages.updateOne({ url: long('e') }, { $set: { url: long('b') } });
});

test('the indexes agree with the documents, also after a restart', async () => {
  const { dbName, collectionName } = pages;
  await engine.restart();
  const db = (await engine.client()).db(dbName);
  pages = db.collection(collectionName);
  expect(await db.command({ validate: collectionName })).toMatchObject({ valid: true, nrecords: 6, errors: [] });
  expect(await urls({ url: { $lt: long('c') } })).toEqual(['', 'a', 'aa', 'b']);
});
