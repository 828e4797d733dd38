import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import { eventually, rejection, TestEngine } from '../engine.test.fixtures.js';

interface Doc {
  _id: number;
  n?: number;
  u?: string;
}

let engine: TestEngine;
let client: MongoClient;
beforeAll(async () => {
  engine = await TestEngine.start();
  client = await engine.client();
});
afterAll(() => engine.stop());

/** Starts a transaction and takes its snapshot. */
async function sessionWithSnapshot(collection: Collection<Doc>): Promise<ClientSession> {
  const session = client.startSession();
  session.startTransaction();
  await collection.findOne({ _id: -1 }, { session });
  return session;
}

async function collectionWith(...docs: Doc[]): Promise<Collection<Doc>> {
  const collection = await engine.collection<Doc>();
  await collection.createIndex({ n: 1 });
  await collection.createIndex({ u: 1 }, { unique: true, sparse: true });
  await collection.insertMany(docs);
  return collection;
}

/** Returns the `_id` of each match, sorted by `n`. */
const ids = async (collection: Collection<Doc>, filter: object, session?: ClientSession): Promise<number[]> =>
  (await collection.find(filter, { sort: { n: 1, _id: 1 }, ...(session && { session }) }).toArray()).map(
    ({ _id }) => _id,
  );

describe('a transaction', () => {
  test('reads its snapshot and its own writes, by scan and by index; other readers see the writes only after the commit', async () => {
    const collection = await collectionWith({ _id: 1, n: 1 }, { _id: 2, n: 2 }, { _id: 3, n: 3 });
    const session = await sessionWithSnapshot(collection);
    await collection.updateOne({ _id: 1 }, { $set: { n: 30 } });
    await collection.deleteOne({ _id: 2 });
    await collection.insertOne({ _id: 4, n: 2 });
    await collection.updateOne({ _id: 3 }, { $set: { n: 10 } }, { session });
    await collection.insertOne({ _id: 5, n: 5 }, { session });
    for (const filter of [{ n: { $gte: 0 } }, {}]) {
      expect(await ids(collection, filter, session)).toEqual([1, 2, 5, 3]);
      expect(await ids(collection, filter)).toEqual([4, 3, 1]);
    }
    expect(await ids(collection, { n: 3 }, session)).toEqual([]);
    expect(await ids(collection, { n: 1 }, session)).toEqual([1]);
    await session.commitTransaction();
    expect(await ids(collection, { n: { $gte: 0 } })).toEqual([4, 5, 3, 1]);
    await session.endSession();
  });

  test('leaves no changes when it aborts', async () => {
    const collection = await collectionWith({ _id: 1, n: 1 });
    const session = await sessionWithSnapshot(collection);
    await collection.updateOne({ _id: 1 }, { $set: { n: 2, u: 'x' } }, { session });
    await collection.insertOne({ _id: 2, n: 3, u: 'y' }, { session });
    await collection.deleteOne({ _id: 1 }, { session });
    await session.abortTransaction();
    expect(await collection.find().toArray()).toEqual([{ _id: 1, n: 1 }]);
    expect(await collection.find({ n: { $gte: 2 } }).toArray()).toEqual([]);
    await collection.insertMany([
      { _id: 2, u: 'x' },
      { _id: 3, u: 'y' },
    ]);
    expect(await client.db('test').command({ validate: collection.collectionName })).toMatchObject({
      valid: true,
      keysPerIndex: { _id_: 3, n_1: 3, u_1: 2 },
    });
    await session.endSession();
  });

  test('aborts with error 11000 if it inserts an existing unique key', async () => {
    const collection = await collectionWith({ _id: 1, u: 'a' });
    const session = await sessionWithSnapshot(collection);
    await collection.insertOne({ _id: 5 }, { session });
    expect(await rejection(collection.insertOne({ _id: 2, u: 'a' }, { session }))).toMatchObject({ code: 11000 });
    expect(await rejection(session.commitTransaction())).toMatchObject({ code: 251 });
    expect(await collection.countDocuments()).toBe(1);
    await session.endSession();
  });

  test('can remove a unique key and insert it again', async () => {
    const collection = await collectionWith({ _id: 1, u: 'a' });
    const session = await sessionWithSnapshot(collection);
    await collection.deleteOne({ _id: 1 }, { session });
    await collection.insertOne({ _id: 1, u: 'a', n: 2 }, { session });
    await collection.updateOne({ _id: 1 }, { $set: { u: 'b' } }, { session });
    await collection.insertOne({ _id: 2, u: 'a' }, { session });
    await session.commitTransaction();
    await session.endSession();
    expect(await collection.find({}, { sort: { _id: 1 } }).toArray()).toEqual([
      { _id: 1, u: 'b', n: 2 },
      { _id: 2, u: 'a' },
    ]);
  });

  test('blocks a write outside of transactions until the commit', async () => {
    const collection = await collectionWith({ _id: 1, n: 1 });
    const session = await sessionWithSnapshot(collection);
    await collection.updateOne({ _id: 1 }, { $inc: { n: 10 } }, { session });
    let done = false;
    const waiting = collection
      .findOneAndUpdate({ _id: 1 }, { $inc: { n: 1 } }, { returnDocument: 'after' })
      .finally(() => (done = true));
    expect(await collection.findOne({ _id: 1 })).toEqual({ _id: 1, n: 1 });
    expect(done).toBe(false);
    await session.commitTransaction();
    expect(await waiting).toEqual({ _id: 1, n: 12 });
    await session.endSession();
  });

  test('blocks an update of many documents midway; the update still changes each document once', async () => {
    const collection = await collectionWith({ _id: 1, n: 0 }, { _id: 2, n: 0 }, { _id: 3, n: 0 });
    const session = await sessionWithSnapshot(collection);
    await collection.updateOne({ _id: 2 }, { $inc: { n: 100 } }, { session });
    const waiting = collection.updateMany({}, { $inc: { n: 1 } });
    await eventually(async () => (await collection.findOne({ _id: 1 }))?.n === 1);
    await session.commitTransaction();
    expect(await waiting).toMatchObject({ matchedCount: 3, modifiedCount: 3 });
    expect((await collection.find({}, { sort: { _id: 1 } }).toArray()).map(({ n }) => n)).toEqual([1, 101, 1]);
    await session.endSession();
  });

  test('blocks an upsert, which then updates the document that the transaction inserted', async () => {
    const collection = await collectionWith({ _id: 1, n: 0 });
    const session = await sessionWithSnapshot(collection);
    await collection.insertOne({ _id: 2, n: 5 }, { session });
    const waiting = collection.updateMany({ _id: 2 }, { $inc: { n: 1 } }, { upsert: true });
    await collection.findOne({ _id: 1 });
    await session.commitTransaction();
    expect(await waiting).toMatchObject({ matchedCount: 1, modifiedCount: 1, upsertedCount: 0 });
    expect(await collection.findOne({ _id: 2 })).toEqual({ _id: 2, n: 6 });
    await session.endSession();
  });

  test.each<[string, (other: Collection<Doc>, session: ClientSession) => Promise<unknown>]>([
    ['read', (other, session) => other.findOne({ n: 1 }, { session })],
    ['write to', (other, session) => other.insertOne({ _id: 2 }, { session })],
  ])(
    'that is older than a collection cannot %s it, and fails with SnapshotUnavailable, labeled TransientTransactionError',
    async (_, use) => {
      const session = await sessionWithSnapshot(await collectionWith({ _id: 1, n: 1 }));
      const other = await collectionWith({ _id: 1, n: 1 });
      const error = await rejection(use(other, session));
      expect(error).toMatchObject({ codeName: 'SnapshotUnavailable', errorLabels: ['TransientTransactionError'] });
      await session.endSession();
      await client.withSession((again) => again.withTransaction(() => use(other, again)));
    },
  );

  test('creates the collections that it writes to; other readers see them only after the commit', async () => {
    const collection = await engine.collection<Doc>();
    const session = client.startSession();
    session.startTransaction();
    await collection.insertOne({ _id: 1 }, { session });
    const listed = async (): Promise<number> =>
      (await client.db('test').listCollections({ name: collection.collectionName }).toArray()).length;
    expect(await listed()).toBe(0);
    await session.abortTransaction();
    session.startTransaction();
    await collection.insertOne({ _id: 2 }, { session });
    await session.commitTransaction();
    expect(await listed()).toBe(1);
    await session.endSession();
  });

  test('blocks a drop of the collections that it uses', async () => {
    const collection = await collectionWith({ _id: 1, n: 1 });
    const session = await sessionWithSnapshot(collection);
    let done = false;
    const dropping = collection.drop().finally(() => (done = true));
    expect(await collection.findOne({ _id: 1 }, { session })).toEqual({ _id: 1, n: 1 });
    // Takes longer than a drop that is not blocked.
    await collectionWith({ _id: 1 });
    expect(done).toBe(false);
    await session.commitTransaction();
    expect(await dropping).toBe(true);
    expect(await collection.countDocuments()).toBe(0);
    await session.endSession();
  });

  test('continues a cursor in its snapshot', async () => {
    const collection = await collectionWith(...Array.from({ length: 50 }, (_, i) => ({ _id: i, n: i })));
    const session = await sessionWithSnapshot(collection);
    const cursor = collection.find({ n: { $gte: 0 } }, { session, batchSize: 10, sort: { n: 1 } });
    expect((await cursor.next())?._id).toBe(0);
    await collection.updateMany({}, { $inc: { n: -100 } });
    await collection.deleteMany({ _id: { $gt: 40 } });
    expect((await cursor.toArray()).map(({ _id }) => _id)).toEqual(Array.from({ length: 49 }, (_, i) => i + 1));
    await session.commitTransaction();
    await session.endSession();
  });
});

test('every reader sees the same total balance during concurrent transfers', async () => {
  const accounts = 6;
  const collection = await collectionWith(...Array.from({ length: accounts }, (_, _id) => ({ _id, n: 100 })));
  const total = async (): Promise<number> => {
    const session = client.startSession();
    try {
      return await session.withTransaction(async () => {
        const low = await collection.find({ n: { $lt: 100 } }, { session }).toArray();
        const high = await collection.find({ n: { $gte: 100 } }, { session }).toArray();
        return [...low, ...high].reduce((sum, { n }) => sum + n!, 0);
      });
    } finally {
      await session.endSession();
    }
  };
  const move = async (from: number, to: number, n: number): Promise<void> => {
    const session = client.startSession();
    await session.withTransaction(async () => {
      await collection.updateOne({ _id: from }, { $inc: { n: -n } }, { session });
      await collection.updateOne({ _id: to }, { $inc: { n } }, { session });
    });
    await session.endSession();
  };
  const totals: number[] = [];
  await Promise.all([
    ...Array.from({ length: 8 }, async (_, worker) => {
      for (let i = 0; i < 10; i += 1) await move((worker + i) % accounts, (worker * 5 + i + 1) % accounts, i + 1);
    }),
    (async () => {
      for (let i = 0; i < 20; i += 1) totals.push(await total());
    })(),
  ]);
  expect(new Set([...totals, await total()])).toEqual(new Set([accounts * 100]));
});
