import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClientSession, Collection, MongoClient } from 'mongodb';
import { rejection, TestEngine } from '../engine.test.fixtures.js';
import { DUPLICATE_KEY, NO_SUCH_TRANSACTION, WRITE_CONFLICT } from '../error-codes.test.fixtures.js';

interface Doc {
  _id: number;
  n?: number;
  u?: string;
}
type Write = (collection: Collection<Doc>, session?: ClientSession) => Promise<unknown>;

const TIMED_OUT = 50;
const inc = { $inc: { n: 1 } };

/** Writes to document 1, which exists. */
const writes: Record<string, Write> = {
  updateOne: (collection, session) => collection.updateOne({ _id: 1 }, inc, { session }),
  updateMany: (collection, session) => collection.updateMany({ n: { $gte: 0 } }, inc, { session }),
  replaceOne: (collection, session) => collection.replaceOne({ _id: 1 }, { n: 9 }, { session }),
  deleteOne: (collection, session) => collection.deleteOne({ _id: 1 }, { session }),
  deleteMany: (collection, session) => collection.deleteMany({ n: { $gte: 0 } }, { session }),
  findOneAndUpdate: (collection, session) => collection.findOneAndUpdate({ _id: 1 }, inc, { session }),
  findOneAndDelete: (collection, session) => collection.findOneAndDelete({ _id: 1 }, { session }),
  upsert: (collection, session) => collection.updateOne({ _id: 1 }, inc, { session, upsert: true }),
  bulkWrite: (collection, session) =>
    collection.bulkWrite([{ updateOne: { filter: { _id: 1 }, update: inc } }], { session, ordered: false }),
};

/** Pairs of writes that add the same `_id` (5) or the same unique key ('x'). */
const creations: Record<string, [Write, Write]> = {
  'inserts of the same _id': [
    (collection, session) => collection.insertOne({ _id: 5 }, { session }),
    (collection, session) => collection.insertOne({ _id: 5 }, { session }),
  ],
  'upserts of the same _id': [
    (collection, session) => collection.updateOne({ _id: 5 }, inc, { session, upsert: true }),
    (collection, session) => collection.updateOne({ _id: 5 }, inc, { session, upsert: true }),
  ],
  'findAndModify upserts of the same _id': [
    (collection, session) => collection.findOneAndUpdate({ _id: 5 }, inc, { session, upsert: true }),
    (collection, session) => collection.findOneAndUpdate({ _id: 5 }, inc, { session, upsert: true }),
  ],
  'inserts of the same unique key': [
    (collection, session) => collection.insertOne({ _id: 5, u: 'x' }, { session }),
    (collection, session) => collection.insertOne({ _id: 6, u: 'x' }, { session }),
  ],
  'upserts of the same unique key': [
    (collection, session) => collection.updateOne({ u: 'x' }, { $set: { n: 5 } }, { session, upsert: true }),
    (collection, session) => collection.updateOne({ u: 'x' }, { $set: { n: 6 } }, { session, upsert: true }),
  ],
  'updates to the same unique key': [
    (collection, session) => collection.updateOne({ _id: 1 }, { $set: { u: 'x' } }, { session }),
    (collection, session) => collection.updateOne({ _id: 2 }, { $set: { u: 'x' } }, { session }),
  ],
};

let engine: TestEngine;
let client: MongoClient;
let sessions: ClientSession[];
beforeAll(async () => {
  engine = await TestEngine.start();
  client = await engine.client({ retryWrites: false });
  sessions = [client.startSession(), client.startSession()];
});
afterAll(async () => {
  for (const session of sessions) await session.endSession();
  await engine.stop();
});

/** Returns a new collection with two documents, and two sessions whose transactions have read it. */
async function prepared(): Promise<[Collection<Doc>, ClientSession, ClientSession]> {
  const collection = await engine.collection<Doc>();
  await collection.createIndex({ u: 1 }, { unique: true, sparse: true });
  await collection.insertMany([
    { _id: 1, n: 1, u: 'a' },
    { _id: 2, n: -1 },
  ]);
  const [first, second] = [sessions[0]!, sessions[1]!];
  for (const session of [first, second]) {
    if (session.inTransaction()) await session.abortTransaction();
    session.startTransaction();
    await collection.findOne({ _id: -1 }, { session });
  }
  return [collection, first, second];
}

/** Expects a write conflict that is labeled for a retry and has aborted the transaction. */
async function expectConflict(writing: Promise<unknown>, session: ClientSession): Promise<void> {
  const error = await rejection(writing);
  expect(error).toMatchObject({ code: WRITE_CONFLICT });
  expect(error.hasErrorLabel!('TransientTransactionError')).toBe(true);
  expect(await rejection(session.commitTransaction())).toMatchObject({ code: NO_SUCH_TRANSACTION });
}

const pairs = Object.keys(writes).flatMap((one) => Object.keys(writes).map((other): [string, string] => [one, other]));

describe('a transaction fails immediately if its write conflicts with an earlier write', () => {
  test.each(pairs)('%s, then %s', async (one, other) => {
    for (const committed of [false, true]) {
      const [collection, first, second] = await prepared();
      await writes[one]!(collection, first);
      if (committed) await first.commitTransaction();
      await expectConflict(writes[other]!(collection, second), second);
      if (!committed) await first.commitTransaction();
    }
  });

  test.each(Object.keys(creations))('%s', async (name) => {
    for (const committed of [false, true]) {
      const [collection, first, second] = await prepared();
      const [one, other] = creations[name]!;
      await one(collection, first);
      if (committed) await first.commitTransaction();
      await expectConflict(other(collection, second), second);
      if (!committed) await first.commitTransaction();
    }
  });

  test.each(Object.keys(writes))('%s after a write outside of transactions', async (name) => {
    const [collection, , second] = await prepared();
    await collection.updateOne({ _id: 1 }, inc);
    await expectConflict(writes[name]!(collection, second), second);
  });

  test('unless it is an update that changes nothing', async () => {
    const [collection, first, second] = await prepared();
    await collection.updateOne({ _id: 1 }, inc, { session: first });
    await collection.updateOne({ _id: 1 }, { $set: { n: 1 } }, { session: second });
    await second.commitTransaction();
    await first.commitTransaction();
    expect(await collection.findOne({ _id: 1 })).toMatchObject({ n: 2 });
  });
});

test('a transaction takes its snapshot at its first command', async () => {
  const collection = await engine.collection<Doc>();
  await collection.insertMany([
    { _id: 1, n: 0 },
    { _id: 2, n: 0 },
  ]);
  const [first, second] = [sessions[0]!, sessions[1]!];
  for (const session of [first, second]) {
    if (session.inTransaction()) await session.abortTransaction();
    session.startTransaction();
  }
  await collection.updateOne({ _id: 1 }, inc);
  await collection.updateOne({ _id: 1 }, inc, { session: first });
  await collection.findOne({ _id: 1 }, { session: second });
  await first.commitTransaction();
  expect(await collection.findOne({ _id: 1 }, { session: second })).toEqual({ _id: 1, n: 1 });
  await collection.updateOne({ _id: 2 }, inc);
  await expectConflict(collection.updateOne({ _id: 2 }, inc, { session: second }), second);
});

describe('an insert of a unique key that the snapshot contains fails as a duplicate, even if another transaction', () => {
  const changes: Record<string, Write> = {
    'changes another field of the document with this key': (collection, session) =>
      collection.updateOne({ _id: 1 }, inc, { session }),
    'deletes the document with this key': (collection, session) => collection.deleteOne({ _id: 1 }, { session }),
  };
  test.each(Object.keys(changes))('%s', async (name) => {
    for (const doc of [{ _id: 1 }, { _id: 9, u: 'a' }]) {
      for (const committed of [false, true]) {
        const [collection, first, second] = await prepared();
        await changes[name]!(collection, first);
        if (committed) await first.commitTransaction();
        const error = await rejection(collection.insertOne(doc, { session: second }));
        expect(error).toMatchObject({ code: DUPLICATE_KEY });
        expect(error.hasErrorLabel!('TransientTransactionError')).toBe(false);
        if (committed) continue;
        // A write outside of transactions fails too, and does not wait: the committed document still has this key.
        expect(await rejection(collection.insertOne(doc, { maxTimeMS: 1000 }))).toMatchObject({ code: DUPLICATE_KEY });
        await first.commitTransaction();
      }
    }
  });
});

describe('a write outside of transactions waits for the conflicting transaction', () => {
  const outside: [string, Write, Write][] = [
    ...Object.entries(writes).map(([name, write]): [string, Write, Write] => [name, writes['updateOne']!, write]),
    ...Object.entries(creations).map(([name, [one, other]]): [string, Write, Write] => [name, one, other]),
  ];
  test.each(outside)('%s', async (_, one, other) => {
    const [collection, first] = await prepared();
    await one(collection, first);
    let settled = false;
    const waiting = other(collection)
      .catch((error: unknown) => error)
      .finally(() => (settled = true));
    // The engine handles commands in order of arrival: a write that did not wait would have finished by now.
    for (let i = 0; i < 10; i += 1) await collection.findOne({ _id: 1 });
    expect(settled).toBe(false);
    await first.abortTransaction();
    expect(await waiting).not.toBeInstanceOf(Error);
  });

  test('as does createIndexes, unless all indexes exist', async () => {
    const [collection, first] = await prepared();
    await collection.updateOne({ _id: 1 }, inc, { session: first });
    expect(await collection.createIndex({ u: 1 }, { unique: true, sparse: true, maxTimeMS: 20 })).toBe('u_1');
    const creating = collection.createIndex({ n: 1 }, { maxTimeMS: 20 });
    expect(await rejection(creating)).toMatchObject({ code: TIMED_OUT });
    await first.abortTransaction();
  });

  test('for at most maxTimeMS', async () => {
    const [collection, first] = await prepared();
    await collection.insertOne({ _id: 5, u: 'x' }, { session: first });
    await collection.updateOne({ _id: 1 }, inc, { session: first });
    for (const doc of [{ _id: 5 }, { _id: 6, u: 'x' }])
      expect(await rejection(collection.insertOne(doc, { maxTimeMS: 20 }))).toMatchObject({ code: TIMED_OUT });
    const updating = collection.updateOne({ _id: 1 }, inc, { maxTimeMS: 20 });
    expect(await rejection(updating)).toMatchObject({ code: TIMED_OUT });
    await first.abortTransaction();
  });
});
