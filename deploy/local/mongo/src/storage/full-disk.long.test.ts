import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, statSync, truncateSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient, type Collection } from 'mongodb';
import { eventually, rejection } from '../engine.test.fixtures.js';
import { startMongo, type Mongo } from '../server.js';
import { OUT_OF_DISK_SPACE } from '../error-codes.test.fixtures.js';

interface Stored {
  _id: number;
  n: number;
  text: string;
}

let folder: string;
let mongo: Mongo;
let client: MongoClient;
let collection: Collection<Stored>;
const warnings: string[] = [];
const filler = (): string => join(folder, 'filler');

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongo-full-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]);
  mongo = await startMongo({ dataDir: folder, log: (level, message) => level === 'warn' && warnings.push(message) });
  client = await new MongoClient(mongo.uri, { retryWrites: false }).connect();
  collection = client.db('test').collection('c');
  await collection.createIndex({ n: 1 }, { unique: true });
  await collection.insertMany(Array.from({ length: 100 }, (_, i) => document(i)));
});
afterEach(async () => {
  await client.close();
  await mongo.stop();
  execFileSync('umount', ['-l', folder]);
  await rm(folder, { recursive: true, force: true });
});

const document = (_id: number): Stored => ({ _id, n: _id, text: 'x'.repeat(2_000) });

function fill(): void {
  try {
    for (;;) appendFileSync(filler(), Buffer.alloc(4096));
  } catch {
    // The disk is full.
  }
}

/** Inserts a document with this id. Retries until the engine accepts writes again. */
const recovered = (id: number): Promise<void> =>
  eventually(() =>
    collection.insertOne(document(id)).then(
      () => true,
      () => false,
    ),
  );

const expectValid = async (): Promise<void> =>
  expect(await client.db('test').command({ validate: 'c' })).toMatchObject({ valid: true, errors: [] });

test('on a full disk, writes fail, reads continue, and the engine recovers without a restart', async () => {
  fill();
  const acknowledged: number[] = [];
  const errors = new Set<unknown>();
  for (let round = 0; round < 20; round += 1) {
    const ids = Array.from({ length: 20 }, (_, i) => 1_000 + round * 20 + i);
    const results = await Promise.allSettled(ids.map((id) => collection.insertOne(document(id))));
    results.forEach((result, i) =>
      result.status === 'fulfilled' ? acknowledged.push(ids[i]!) : errors.add((result.reason as { code: number }).code),
    );
  }
  expect([...errors]).toEqual([OUT_OF_DISK_SPACE]);
  const session = client.startSession();
  session.startTransaction();
  const failed = await rejection(
    (async () => {
      await collection.insertOne(document(5_000), { session });
      await session.commitTransaction();
    })(),
  );
  expect(failed.code).toBe(OUT_OF_DISK_SPACE);
  await session.endSession();
  const storedIds = async (): Promise<number[]> =>
    (await collection.distinct('_id')).filter((id) => id >= 1_000).sort();
  expect(await storedIds()).toEqual(acknowledged.sort());
  expect(await collection.countDocuments({ n: { $lt: 100 } })).toBe(100);
  expect(await collection.estimatedDocumentCount()).toBe(100 + acknowledged.length);

  rmSync(filler());
  await recovered(9_000);
  expect(await storedIds()).toEqual([...acknowledged, 9_000].sort());
  await expectValid();
  expect(warnings).toEqual([
    `no space left on ${folder}: writes are rejected until space is freed`,
    `${folder} has free space again: writes are accepted`,
  ]);
});

test('an update that waits for a checkpoint fails if its first changes are lost', async () => {
  fill();
  const updating = collection.updateMany({}, { $set: { text: 'y'.repeat(700_000) } });
  expect((await rejection(updating)).code).toBe(OUT_OF_DISK_SPACE);
  rmSync(filler());
  await recovered(9_000);
  expect(await collection.countDocuments({ text: /^y/ })).toBe(0);
  await expectValid();
});

test('an index build that waits for a checkpoint fails if its first entries are lost', async () => {
  const lists = Array.from({ length: 80 }, (_, i) => ({
    ...document(1_000 + i),
    list: Array.from({ length: 4_000 }, (_, n) => n),
  }));
  await collection.insertMany(lists);
  fill();
  expect((await rejection(collection.createIndex({ list: 1 }))).code).toBe(OUT_OF_DISK_SPACE);
  rmSync(filler());
  await recovered(9_000);
  await client.close();
  await mongo.stop();
  mongo = await startMongo({ dataDir: folder });
  client = await new MongoClient(mongo.uri).connect();
  collection = client.db('test').collection('c');
  expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_', 'n_1']);
  await expectValid();
});

test.each([
  ['with changes that the data file does not contain yet', 0],
  ['with all earlier changes in the data file', 3_000],
])('the engine can be stopped and restarted as soon as a full disk has space again, %s', async (_, waitMs) => {
  await setTimeout(waitMs);
  fill();
  warnings.length = 0;
  await Promise.allSettled(Array.from({ length: 40 }, (_, i) => collection.insertOne(document(1_000 + i))));
  rmSync(filler());
  await eventually(() => warnings.length === 2);
  await client.close();
  await mongo.stop();
  mongo = await startMongo({ dataDir: folder });
  client = await new MongoClient(mongo.uri).connect();
  await expectValid();
});

test('a write that a full disk truncates is not treated as a disk failure', async () => {
  for (const freePages of [1, 2, 3, 5, 7, 9]) {
    fill();
    truncateSync(filler(), statSync(filler()).size - freePages * 4096);
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, i) => collection.insertOne(document(freePages * 100 + i))),
    );
    const codes = results.flatMap((result) =>
      result.status === 'rejected' ? [(result.reason as { code: number }).code] : [],
    );
    expect(new Set(codes)).toEqual(new Set([OUT_OF_DISK_SPACE]));
    rmSync(filler());
    await recovered(9_000 + freePages);
  }
  await expectValid();
});

test('the engine does not start on a read-only file system and says why in one sentence', async () => {
  await client.close();
  await mongo.stop();
  execFileSync('mount', ['-o', 'remount,ro', folder]);
  for (const dataDir of [folder, join(folder, 'new'), join(folder, 'new', 'folder')]) {
    const { message } = await rejection(startMongo({ dataDir }));
    expect(message).toMatch(/^the data folder .* cannot be used: EROFS: read-only file system/);
  }
});
