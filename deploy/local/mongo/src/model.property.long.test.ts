import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Collection, type Db, MongoClient, type MongoServerError } from 'mongodb';
import { startMongo, type Mongo } from './index.js';
import { change, fields, filter, INDEXES, sort, updateOf } from './model.generators.test.fixtures.js';
import {
  type Change,
  changed,
  clashes,
  type Fields,
  type Filter,
  matches,
  runs,
  type Sort,
  sorted,
  TIMEOUT_MS,
  type UniqueIndex,
} from './model.test.fixtures.js';

type Stored = Fields & { _id: number };

let folder: string;
let mongo: Mongo;
let client: MongoClient;
let db: Db;
let created = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mongo-model-'));
  mongo = await startMongo({ dataDir: folder });
  client = await new MongoClient(mongo.uri).connect();
  db = client.db('model');
});

afterAll(async () => {
  await client.close();
  await mongo.stop();
  await rm(folder, { recursive: true });
});

const newCollection = (): Collection<Stored> => db.collection<Stored>(`c${(created += 1)}`);
const byId = (documents: Fields[]): Fields[] => documents.toSorted((a, b) => (a._id as number) - (b._id as number));
const all = async (collection: Collection<Stored>): Promise<Fields[]> => byId(await collection.find().toArray());

/** Returns the error code of a failed operation, or 0 if it succeeds. */
const codeOf = (operation: Promise<unknown>): Promise<number> =>
  operation.then(
    () => 0,
    (error: MongoServerError) => Number(error.code),
  );

// ---- queries and updates ------------------------------------------------------------------------------------------

type Step =
  | { find: Filter; sort: Sort; skip: number; limit: number }
  | { update: Filter; change: Change }
  | { remove: Filter }
  | { insert: Fields[] };
const find = fc.record({ find: filter, sort, skip: fc.nat(2), limit: fc.nat(4) });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: find },
  { weight: 3, arbitrary: fc.record({ update: filter, change }) },
  fc.record({ remove: filter }),
  fc.record({ insert: fc.array(fields, { minLength: 1, maxLength: 3 }) }),
);

/** Two collections with the same documents, one of them with indexes, and their model. */
class CollectionPair {
  readonly indexed = newCollection();
  readonly plain = newCollection();
  documents: Stored[] = [];
  private nextId = 0;

  async insert(list: Fields[]): Promise<void> {
    const stored = list.map((each): Stored => ({ ...each, _id: (this.nextId += 1) }));
    for (const collection of [this.indexed, this.plain])
      await collection.insertMany(stored.map((each) => structuredClone(each)));
    this.documents.push(...stored);
  }

  async find({ find: wanted, sort: by, skip, limit }: Extract<Step, { find: Filter }>): Promise<void> {
    const hits = sorted(
      this.documents.filter((each) => matches(each, wanted)),
      by,
    );
    const expected = hits.slice(skip, limit > 0 ? skip + limit : undefined);
    for (const collection of [this.indexed, this.plain]) {
      expect(await collection.find(wanted).sort(by).skip(skip).limit(limit).toArray()).toEqual(expected);
      expect(await collection.countDocuments(wanted)).toBe(hits.length);
    }
  }

  async update(wanted: Filter, how: Change): Promise<void> {
    const outcomes = this.documents.map((each) => (matches(each, wanted) ? changed(each, how) : each));
    const codes = outcomes.filter((each) => typeof each === 'number');
    for (const collection of [this.indexed, this.plain]) {
      if (codes.length === 0) {
        await collection.updateMany(wanted, updateOf(how));
        continue;
      }
      // Update the failing documents separately, because the query plan determines which other documents are updated
      // before the error.
      expect(codes).toContain(
        await codeOf(
          collection.updateMany({ $and: [wanted, { _id: { $in: this.failing(outcomes) } }] }, updateOf(how)),
        ),
      );
      for (const [i, each] of outcomes.entries()) {
        if (typeof each !== 'number' && each !== this.documents[i])
          await collection.updateOne({ _id: this.documents[i]!._id }, updateOf(how));
      }
    }
    this.documents = outcomes.map((each, i) => (typeof each === 'number' ? this.documents[i]! : (each as Stored)));
  }

  private failing(outcomes: (Fields | number)[]): number[] {
    return outcomes.flatMap((each, i) => (typeof each === 'number' ? [this.documents[i]!._id] : []));
  }

  async remove(wanted: Filter): Promise<void> {
    const kept = this.documents.filter((each) => !matches(each, wanted));
    for (const collection of [this.indexed, this.plain]) {
      expect((await collection.deleteMany(wanted)).deletedCount).toBe(this.documents.length - kept.length);
    }
    this.documents = kept;
  }

  async check(): Promise<void> {
    for (const collection of [this.indexed, this.plain]) expect(await all(collection)).toEqual(byId(this.documents));
  }
}

describe('documents, indexes, queries and updates agree with a plain model', () => {
  test(
    'with any indexes, created before or after the documents',
    async () => {
      const run = fc.record({
        before: fc.subarray(INDEXES),
        after: fc.subarray(INDEXES, { maxLength: 2 }),
        start: fc.array(fields, { minLength: 1, maxLength: 12 }),
        steps: fc.array(step, { minLength: 4, maxLength: 12 }),
      });
      const property = fc.asyncProperty(run, async ({ before, after, start, steps }) => {
        const pair = new CollectionPair();
        for (const { key, options } of before) await pair.indexed.createIndex(key, options);
        await pair.insert(start);
        for (const { key, options } of after) await pair.indexed.createIndex(key, options);
        for (const each of steps) {
          if ('find' in each) await pair.find(each);
          else if ('update' in each) await pair.update(each.update, each.change);
          else if ('remove' in each) await pair.remove(each.remove);
          else await pair.insert(each.insert);
        }
        await pair.check();
        await Promise.all([pair.indexed.drop(), pair.plain.drop()]);
      });
      await fc.assert(property, runs(40));
    },
    TIMEOUT_MS,
  );
});

// ---- unique indexes -----------------------------------------------------------------------------------------------

const UNIQUE: UniqueIndex[] = [
  { key: { n: 1 } },
  { key: { a: 1 } },
  { key: { n: 1, a: -1 } },
  { key: { 'c.x': 1 }, sparse: true },
  { key: { n: 1 }, partialFilterExpression: { b: { $gt: 0 } } },
  { key: { a: 1 }, partialFilterExpression: { b: { $exists: true } } },
];

type Write = { id: number; fields: Fields } | { id: number; change: Change; upsert: boolean };

describe('unique indexes agree with a plain model', () => {
  test(
    'for replacements, updates and upserts',
    async () => {
      const id = fc.nat(7);
      const write: fc.Arbitrary<Write> = fc.oneof(
        fc.record({ id, fields }),
        fc.record({ id, change, upsert: fc.boolean() }),
      );
      const property = fc.asyncProperty(
        fc.constantFrom(...UNIQUE),
        fc.array(write, { minLength: 4, maxLength: 20, size: 'max' }),
        async (index, writes) => {
          const collection = newCollection();
          const { key, ...options } = index;
          await collection.createIndex(key, { ...options, unique: true });
          let documents: Stored[] = [];
          for (const each of writes) {
            const existing = documents.find(({ _id }) => _id === each.id);
            const others = documents.filter(({ _id }) => _id !== each.id);
            const next =
              'fields' in each
                ? { _id: each.id, ...each.fields }
                : existing || each.upsert
                  ? changed(existing ?? { _id: each.id }, each.change)
                  : undefined;
            const expected =
              next === undefined ? 0 : typeof next === 'number' ? next : clashes(next, others, [index]) ? 11000 : 0;
            const operation =
              'fields' in each
                ? collection.replaceOne({ _id: each.id }, each.fields, { upsert: true })
                : collection.updateOne({ _id: each.id }, updateOf(each.change), { upsert: each.upsert });
            expect(await codeOf(operation)).toBe(expected);
            if (expected === 0 && next !== undefined) documents = [...others, next as Stored];
          }
          expect(await all(collection)).toEqual(byId(documents));
          await collection.drop();
        },
      );
      await fc.assert(property, runs(60));
    },
    TIMEOUT_MS,
  );
});
