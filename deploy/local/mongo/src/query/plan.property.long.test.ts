import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ObjectId } from 'bson';
import fc from 'fast-check';
import { DirectEngine } from '../engine.test.fixtures.js';
import { compareValues } from '../language/compare.js';
import { encodeValue } from '../language/key.js';
import { valueAt } from '../language/path.js';
import type { Document } from '../language/values.js';

let direct: DirectEngine;
beforeAll(async () => {
  direct = await DirectEngine.open(await mkdtemp(join(tmpdir(), 'mongo-plan-')));
});
afterAll(async () => {
  await direct.close();
  await rm(direct.dataDir, { recursive: true });
});

/** Strings that differ only at the end, and whose index keys are just below the maximum size or above it. */
const long = fc.constantFrom(...[1_945, 3_000].flatMap((length) => ['a', 'b'].map((end) => 'x'.repeat(length) + end)));
const scalar = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -1, max: 3 }) },
  { weight: 2, arbitrary: fc.constantFrom('', 'a', 'ab', 'b', 'é') },
  { weight: 1, arbitrary: long },
  fc.constantFrom(null, true, false, 0.5, NaN, 3n, new Date(0), new Date(5), new ObjectId('0'.repeat(24))),
);
const nested = fc.dictionary(fc.constantFrom('x', 'y'), scalar, { maxKeys: 2 });
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 2, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.array(nested, { maxLength: 2 }) },
  { weight: 2, arbitrary: nested },
);
/**
 * `c`, the fields of `c`, and `d` never contain an array, because the engine refuses to sort by arrays and by paths
 * through them.
 */
const document = fc.record(
  { a: value, b: value, c: fc.oneof(scalar, nested), d: scalar },
  { requiredKeys: [], noNullPrototype: true },
);
const path = fc.constantFrom('a', 'b', 'c', 'c.x', 'c.y', 'd', '_id');
const direction = fc.constantFrom(1, -1);
const pattern = fc.dictionary(path, direction, { minKeys: 1, maxKeys: 3 });
const sortPattern = fc.dictionary(fc.constantFrom('c', 'c.x', 'c.y', 'd', '_id'), direction, {
  minKeys: 1,
  maxKeys: 3,
});

const condition = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.record({ $gt: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }),
  fc.record({ $lte: scalar }),
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $ne: scalar }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $regex: fc.constantFrom('^a', '^ab', 'b') }),
  fc.record({ $all: fc.array(scalar, { maxLength: 2 }) }),
  nested,
  fc.array(scalar, { maxLength: 2 }),
);
const plain = fc.dictionary(path, condition, { minKeys: 1, maxKeys: 3 });
const filter: fc.Arbitrary<Document> = fc.oneof(
  { weight: 3, arbitrary: plain },
  fc.record({ $or: fc.array(plain, { minLength: 1, maxLength: 3 }) }),
  fc.tuple(plain, fc.array(plain, { minLength: 1, maxLength: 3 })).map(([all, any]) => ({ ...all, $or: any })),
  fc.array(plain, { minLength: 1, maxLength: 2 }).map((all) => ({ $and: all })),
);
const partial = fc.oneof(
  fc.record({ a: fc.record({ $exists: fc.constant(true) }) }),
  fc.record({ b: fc.record({ $gt: scalar }) }),
  fc.record({ c: fc.integer({ min: 0, max: 2 }) }),
);
const index = fc.record({
  key: pattern,
  options: fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    fc.constant({ sparse: true }),
    partial.map((partialFilterExpression) => ({ partialFilterExpression })),
  ),
});

let collections = 0;

async function createCollection(
  documents: Document[],
  indexes: { key: Document; options: Document }[],
): Promise<string> {
  const name = `c${(collections += 1)}`;
  await direct.run({ create: name });
  for (const [i, { key, options }] of indexes.entries()) {
    // The reply is ignored, because the engine rejects an index with the pattern and partial filter of an existing one.
    await direct.run({ createIndexes: name, indexes: [{ key, name: `i${i}`, ...options }] });
  }
  for (const [_id, fields] of documents.entries()) await direct.run({ insert: name, documents: [{ _id, ...fields }] });
  return name;
}

const found = async (command: Document): Promise<Document[]> => {
  const reply = await direct.run({ ...command, batchSize: 1000 });
  if (reply['ok'] !== 1) throw new Error(`${JSON.stringify(command)} failed: ${String(reply['errmsg'])}`);
  return reply['documents'] as Document[];
};

const byId = (documents: Document[]): Document[] => documents.toSorted((a, b) => compareValues(a['_id'], b['_id']));

test('every plan returns the same documents as a collection scan, in the requested order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 5, maxLength: 25, size: 'max' }),
      fc.array(index, { minLength: 1, maxLength: 4 }),
      fc.array(fc.record({ filter, sort: fc.option(sortPattern), limit: fc.nat(6) }), { minLength: 12, maxLength: 12 }),
      async (documents, indexes, queries) => {
        const name = await createCollection(documents, indexes);
        for (const { filter, sort, limit } of queries) {
          const all = await found({ find: name, filter, hint: { $natural: 1 } });
          expect(byId(await found({ find: name, filter }))).toEqual(byId(all));
          expect(
            await direct.run({
              aggregate: name,
              pipeline: [{ $match: filter }, { $group: { _id: 1, n: { $sum: 1 } } }],
              cursor: {},
            }),
          ).toMatchObject({
            documents: all.length > 0 ? [{ _id: 1, n: all.length }] : [],
          });
          if (!sort) continue;
          // With _id in the sort, the order is unique.
          const order = '_id' in sort ? sort : { ...sort, _id: 1 };
          const sorted = await found({ find: name, filter, sort: order, hint: { $natural: 1 } });
          expect(await found({ find: name, filter, sort: order })).toEqual(sorted);
          expect(await found({ find: name, filter, sort: order, limit, skip: 2 })).toEqual(
            sorted.slice(2, limit ? limit + 2 : undefined),
          );
        }
      },
    ),
    { numRuns: 150 },
  );
});

/** Few values, without arrays, so that most indexes provide an order and most conditions match. */
const few = fc.constantFrom<unknown>(0, 1, 2, null, 'a');
/** Strings that differ only at the end, and whose index keys are just below the maximum size. */
const near = fc.constantFrom(...['a', 'b', 'c'].map((end) => 'x'.repeat(1_940) + end));
const flat = fc.record({ a: fc.oneof(few, near), b: few, c: few, d: few }, { noNullPrototype: true });
const flatIndex = fc.record({
  key: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', '_id'), direction, { minKeys: 1, maxKeys: 3, size: 'max' }),
  options: fc.constant({}),
});
/**
 * Enough values to exceed two limits of the engine: that of combinations with the values of another field
 * (`MAX_POINTS`), and that of ranges that it merges for a sort (`MAX_STREAMS`).
 */
const many = Array.from({ length: 2_500 }, (_, i) => i);
const bound = fc.oneof(few, near);
const optionalCondition = fc.option(
  fc.oneof(
    bound,
    fc.constant({ $in: many }),
    fc.array(bound, { maxLength: 5 }).map((values) => ({ $in: values })),
    fc.record({ $gte: bound }),
    fc.record({ $lt: bound }),
  ),
);
/** Optional conditions on the fields of an index, and a sort by some of these fields. */
const indexQuery = fc.record({
  indexPosition: fc.nat(),
  conditions: fc.array(optionalCondition, { minLength: 3, maxLength: 3 }),
  sorted: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
  reverse: fc.boolean(),
  limit: fc.nat(6),
});

/**
 * Returns, for each document, a key of the values that a sort compares. Documents with equal values may be returned in
 * any order.
 */
const sortKeys = (documents: Document[], sort: Document): string[] =>
  documents.map((each) =>
    Object.keys(sort)
      .map((name) => encodeValue(valueAt(each, name.split('.')) ?? null))
      .join(' '),
  );

test('queries on indexed fields return the same documents as a collection scan, in the requested order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(flat, { minLength: 5, maxLength: 25, size: 'max' }),
      fc.array(flatIndex, { minLength: 1, maxLength: 4 }),
      fc.array(indexQuery, { minLength: 12, maxLength: 12 }),
      async (documents, indexes, queries) => {
        const name = await createCollection(documents, indexes);
        for (const { indexPosition, conditions, sorted, reverse, limit } of queries) {
          const fields = Object.entries(indexes[indexPosition % indexes.length]!.key);
          const filter = Object.fromEntries(
            fields.flatMap(([field], i) => (conditions[i] === null ? [] : [[field, conditions[i]]])),
          );
          const all = await found({ find: name, filter, hint: { $natural: 1 } });
          expect(byId(await found({ find: name, filter }))).toEqual(byId(all));
          const sort = Object.fromEntries(
            fields.filter((_, i) => sorted[i]).map(([field, value]) => [field, reverse ? -value : value]),
          );
          if (Object.keys(sort).length === 0) continue;
          const expected = sortKeys(await found({ find: name, filter, sort, hint: { $natural: 1 } }), sort);
          expect(sortKeys(await found({ find: name, filter, sort }), sort)).toEqual(expected);
          expect(sortKeys(await found({ find: name, filter, sort, limit, skip: 1 }), sort)).toEqual(
            expected.slice(1, limit ? limit + 1 : undefined),
          );
        }
      },
    ),
    { numRuns: 60 },
  );
});
