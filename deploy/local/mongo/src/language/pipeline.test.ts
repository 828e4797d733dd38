import { describe, expect, test } from '@jest/globals';
import { Double, Long } from 'bson';
import { compilePipeline } from './pipeline.js';
import { compileFilter } from './filter.js';
import { doc, docs, expectDocument, expectDocuments, expectError } from './bson.test.fixtures.js';
import type { Document } from './values.js';

type Fields = Record<string, unknown>;

/** Runs a pipeline, including the `$match` at its start, which a compiled pipeline leaves to the planner. */
const run = (stages: Fields[], input: Fields[] = []): Document[] => {
  const { filter, run: runRest } = compilePipeline(docs(...stages));
  return [...runRest(docs(...input).filter(compileFilter(filter).matches))];
};

const SALES = [
  { _id: 1, item: 'x', n: 2 },
  { _id: 2, item: 'y', n: 1 },
  { _id: 3, item: 'x', n: 5 },
  { _id: 4, item: 'z', n: 3 },
];

describe('stages that select', () => {
  test('$match, $sort, $skip and $limit are applied in order', () => {
    const stages = [
      { $match: { n: { $gt: 1 } } },
      { $sort: { n: -1 } },
      { $skip: 1 },
      { $limit: 1 },
      { $project: { n: 1 } },
    ];
    expectDocuments(run(stages, SALES), [{ _id: 4, n: 3 }]);
  });

  test('$limit stops reading once the limit is reached', () => {
    let read = 0;
    const source = {
      *[Symbol.iterator]() {
        for (;;) {
          read += 1;
          yield doc({ read });
        }
      },
    };
    expect([...compilePipeline(docs({ $match: {} }, { $limit: 3 })).run(source)]).toHaveLength(3);
    expect(read).toBe(3);
  });
});

describe('stages that reshape', () => {
  test.each<[Fields, Fields, Fields]>([
    [{ $project: { a: 1 } }, { _id: 1, a: 1, b: 1 }, { _id: 1, a: 1 }],
    [{ $set: { a: '$none', b: 'a' } }, { _id: 1, a: 1 }, { _id: 1, b: 'a' }],
    [{ $addFields: { c: '$a', d: 1 } }, { _id: 1, a: 5 }, { _id: 1, a: 5, c: 5, d: 1 }],
    [{ $set: { a: '$b', b: '$a' } }, { _id: 1, a: 5, b: 1 }, { _id: 1, a: 1, b: 5 }],
    [{ $replaceRoot: { newRoot: '$b' } }, { _id: 1, b: { c: 1 } }, { c: 1 }],
    [{ $replaceWith: '$b' }, { _id: 1, b: { c: 1 } }, { c: 1 }],
  ])('%j', (stage, input, expected) => {
    expectDocuments(run([stage], [input]), [expected]);
  });
});

describe('$group', () => {
  test('sums by a key', () => {
    expectDocuments(run([{ $group: { _id: '$item', total: { $sum: '$n' }, count: { $sum: 1 } } }], SALES), [
      { _id: 'x', total: 7, count: 2 },
      { _id: 'y', total: 1, count: 1 },
      { _id: 'z', total: 3, count: 1 },
    ]);
  });

  test('groups missing keys as null, and numbers by value', () => {
    const input = [{ a: 1 }, { a: new Double(1) }, {}, { a: null }];
    const expected = [
      { _id: 1, n: 2 },
      { _id: null, n: 2 },
    ];
    expectDocuments(run([{ $group: { _id: '$a', n: { $sum: 1 } } }], input), expected);
    expectDocuments(run([{ $group: { _id: null } }], []), []);
  });

  test.each<[unknown[], unknown]>([
    [[2147483647, 1], Long.fromNumber(2147483648)],
    [[Long.fromNumber(1), 1], Long.fromNumber(2)],
    [['x', null], 0],
  ])('the sum of %j is %p', (values, sum) => {
    const [result] = run(
      [{ $group: { _id: null, sum: { $sum: '$a' } } }],
      values.map((a) => ({ a })),
    );
    expectDocument(result!, { _id: null, sum });
  });

  test('$count counts the documents, and returns no result if there are none', () => {
    expectDocuments(run([{ $count: 'n' }], SALES), [{ n: 4 }]);
    expectDocuments(run([{ $count: 'n' }], []), []);
  });
});

describe('a compiled pipeline', () => {
  test('exposes the filter of a leading $match', () => {
    expect(compilePipeline(docs({ $match: { a: 1 } }, { $limit: 1 })).filter).toEqual({ a: 1 });
    expect(compilePipeline(docs({ $limit: 1 }, { $match: { a: 1 } })).filter).toEqual({});
  });

  test.each<[Fields[], boolean]>([
    [[{ $match: { a: 1 } }, { $group: { _id: 1, n: { $sum: 1 } } }], false],
    [[{ $group: { _id: null, n: { $sum: 1 } } }], false],
    [[{ $group: { _id: '$a', n: { $sum: 1 } } }], true],
    [[{ $match: {} }], true],
    [[{ $skip: 1 }, { $group: { _id: 1 } }], true],
  ])('%j needs to read documents: %p', (stages, reads) => {
    expect(compilePipeline(docs(...stages)).reads).toBe(reads);
  });
});

describe('an invalid pipeline', () => {
  test.each<[Fields[], number]>([
    [[{ $match: {}, $limit: 1 }], 40323],
    [[{}], 40323],
    [[{ $limit: 0 }], 9],
    [[{ $skip: -1 }], 9],
    [[{ $sort: 5 }], 9],
    [[{ $match: 5 }], 9],
    [[{ $project: { a: 1, b: 0 } }], 31254],
    [[{ $group: { a: { $sum: 1 } } }], 15955],
    [[{ $group: { _id: 1, a: { $sum: [1] } } }], 115],
    [[{ $count: '' }], 2],
    [[{ $count: 'a.b' }], 40156],
    [[{ $group: { _id: 1, 'a.b': { $sum: 1 } } }], 40235],
    [[{ $group: { _id: 1, a: 1 } }], 40234],
    [[{ $group: { _id: 1, a: {} } }], 40238],
    [[{ $group: { _id: 1, a: { $sum: 1, $max: 1 } } }], 40238],
  ])('%j fails with code %d', (stages, code) => {
    expectError(() => run(stages), code);
  });

  test.each<[Fields[], string]>([
    [[{ $nope: 1 }], 'the stage $nope'],
    [[{ $lookup: { from: 'x' } }], 'the stage $lookup'],
    [[{ $changeStream: {} }], 'the stage $changeStream'],
    [[{ $group: { _id: 1, a: { $avg: '$x' } } }], 'the accumulator $avg'],
    [[{ $set: { 'a.b': 1 } }], "a computed field at the path 'a.b'"],
    [[{ $project: { a: '$x' } }], "the projection $x of 'a'"],
    [[{ $match: { $expr: { $eq: ['$a', 1] } } }], 'the query operator $expr'],
  ])('%j fails with an error that names the unsupported feature', (stages, what) => {
    expectError(() => run(stages), 115, `${what} is not supported by this engine`);
  });

  test('fails for documents that a stage does not accept', () => {
    expectError(() => run([{ $replaceRoot: { newRoot: '$a' } }], [{ a: 5 }]), 40228);
    expectError(() => run([{ $group: { _id: 1, n: { $sum: '$a' } } }], [{ a: 0.5 }]), 115, 'a $sum of doubles');
  });
});
