import { describe, expect, test } from '@jest/globals';
import { Double, Long } from 'bson';
import { compilePipeline, type PipelineHost } from './aggregate.js';
import { doc, docs, expectDocument, expectDocuments, expectError } from './bson.test.fixtures.js';
import { compileFilter } from './filter.js';
import type { Document } from './values.js';

type Fields = Record<string, unknown>;

const OTHERS: Record<string, Fields[]> = {
  owners: [
    { _id: 1, name: 'Ann', city: 'Rome' },
    { _id: 2, name: 'Bob', city: 'Oslo' },
    { _id: 3, name: 'Cid' },
  ],
  people: [
    { _id: 'a', boss: 'b' },
    { _id: 'b', boss: 'c' },
    { _id: 'c', boss: 'a' },
  ],
};

const host: PipelineHost = {
  collection: (name, filter) => {
    const all = docs(...(OTHERS[name] ?? []));
    return filter ? all.filter(compileFilter(filter).matches) : all;
  },
  state: (stage) => docs({ stage }),
};

const run = (stages: Fields[], input: Fields[] = [], values?: Fields): Document[] => [
  ...compilePipeline(docs(...stages), { let: values && doc(values) }).run(docs(...input), host),
];

const SALES = [
  { _id: 1, item: 'x', n: 2, price: 1.5, tags: ['p', 'q'] },
  { _id: 2, item: 'y', n: 1, price: 4, tags: [] },
  { _id: 3, item: 'x', n: 5, price: 2.5, tags: ['q'] },
  { _id: 4, item: 'z', n: 3 },
];

describe('stages that choose', () => {
  test('$match, $sort, $skip and $limit', () => {
    expectDocuments(
      run(
        [{ $match: { n: { $gt: 1 } } }, { $sort: { n: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { n: 1 } }],
        SALES,
      ),
      [{ _id: 4, n: 3 }],
    );
  });

  test('$match sees the variables of the command', () => {
    expect(
      run([{ $match: { $expr: { $eq: ['$n', '$$wanted'] } } }], SALES, { wanted: 5 }).map(({ _id }) => _id),
    ).toEqual([3]);
  });

  test('$limit reads no further than it must', () => {
    let read = 0;
    const source = {
      *[Symbol.iterator]() {
        for (;;) {
          read += 1;
          yield doc({ read });
        }
      },
    };
    expect([...compilePipeline(docs({ $match: {} }, { $limit: 3 })).run(source, host)]).toHaveLength(3);
    expect(read).toBe(3);
  });

  test('$sample takes as many as it says, each at most once', () => {
    const ids = run([{ $sample: { size: 3 } }], SALES).map(({ _id }) => _id);
    expect(new Set(ids).size).toBe(3);
    expect(run([{ $sample: { size: 99 } }], SALES)).toHaveLength(4);
  });
});

describe('stages that reshape', () => {
  test.each<[Fields, Fields, Fields]>([
    [{ $project: { a: 1 } }, { _id: 1, a: 1, b: 1 }, { _id: 1, a: 1 }],
    [{ $project: { _id: 0, sum: { $add: ['$a', '$b'] } } }, { _id: 1, a: 1, b: 2 }, { sum: 3 }],
    [{ $project: { a: 0, 'c.d': 0 } }, { _id: 1, a: 1, c: { d: 1, e: 2 } }, { _id: 1, c: { e: 2 } }],
    [{ $project: { 'a.b': '$x' } }, { _id: 1, x: 7, a: [{ b: 1, c: 2 }, 5] }, { _id: 1, a: [{ b: 7 }, { b: 7 }] }],
    [{ $project: { a: { b: 1 } } }, { _id: 1, a: { b: 1, c: 2 } }, { _id: 1, a: { b: 1 } }],
    [{ $addFields: { c: '$a', 'd.e': 1 } }, { _id: 1, a: 5, d: { f: 2 } }, { _id: 1, a: 5, d: { f: 2, e: 1 }, c: 5 }],
    [{ $set: { a: { $add: ['$a', 1] } } }, { _id: 1, a: 5, b: 1 }, { _id: 1, a: 6, b: 1 }],
    [{ $set: { 'a.b': 1 } }, { _id: 1, a: [{ c: 1 }, 3] }, { _id: 1, a: [{ c: 1, b: 1 }, { b: 1 }] }],
    [{ $set: { a: '$$REMOVE' } }, { _id: 1, a: 5 }, { _id: 1 }],
    [{ $set: { a: { b: { c: '$x' } } } }, { _id: 1, x: 1, a: { d: 1 } }, { _id: 1, x: 1, a: { d: 1, b: { c: 1 } } }],
    [{ $set: { a: {} } }, { _id: 1 }, { _id: 1, a: {} }],
    [{ $unset: ['a', 'b.c'] }, { _id: 1, a: 1, b: { c: 1, d: 1 } }, { _id: 1, b: { d: 1 } }],
    [{ $replaceRoot: { newRoot: '$b' } }, { _id: 1, b: { c: 1 } }, { c: 1 }],
    [{ $replaceWith: { $mergeObjects: ['$b', { x: '$_id' }] } }, { _id: 1, b: { c: 1 } }, { c: 1, x: 1 }],
    [
      { $redact: { $cond: [{ $eq: ['$level', 5] }, '$$PRUNE', '$$DESCEND'] } },
      { _id: 1, level: 1, a: { level: 5 }, b: [{ level: 5 }, { level: 2, c: 1 }, 7] },
      { _id: 1, level: 1, b: [{ level: 2, c: 1 }, 7] },
    ],
  ])('%j', (stage, input, expected) => {
    expectDocuments(run([stage], [input]), [expected]);
  });

  test('$unwind', () => {
    const input = [{ _id: 1, a: [5, 6] }, { _id: 2, a: [] }, { _id: 3 }, { _id: 4, a: null }, { _id: 5, a: 'x' }];
    expectDocuments(run([{ $unwind: '$a' }], input), [
      { _id: 1, a: 5 },
      { _id: 1, a: 6 },
      { _id: 5, a: 'x' },
    ]);
    const long = (n: number): Long => Long.fromNumber(n);
    expectDocuments(
      run([{ $unwind: { path: '$a', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true } }], input),
      [
        { _id: 1, a: 5, i: long(0) },
        { _id: 1, a: 6, i: long(1) },
        { _id: 2, i: null },
        { _id: 3, i: null },
        { _id: 4, a: null, i: null },
        { _id: 5, a: 'x', i: null },
      ],
    );
    expectDocuments(run([{ $unwind: '$a.b' }], [{ a: { b: [1], c: 2 } }]), [{ a: { b: 1, c: 2 } }]);
  });
});

describe('$group', () => {
  test('gathers by a key', () => {
    expectDocuments(
      run(
        [
          {
            $group: {
              _id: '$item',
              total: { $sum: '$n' },
              mean: { $avg: '$price' },
              all: { $push: '$n' },
              most: { $max: '$price' },
              first: { $first: '$price' },
              count: { $count: {} },
            },
          },
        ],
        SALES,
      ),
      [
        { _id: 'x', total: 7, mean: new Double(2), all: [2, 5], most: 2.5, first: 1.5, count: 2 },
        { _id: 'y', total: 1, mean: new Double(4), all: [1], most: 4, first: 4, count: 1 },
        { _id: 'z', total: 3, mean: null, all: [3], most: null, first: null, count: 1 },
      ],
    );
  });

  test('takes null for a missing key, and keys by value', () => {
    expectDocuments(
      run([{ $group: { _id: '$a', n: { $sum: 1 } } }], [{ a: 1 }, { a: new Double(1) }, {}, { a: null }]),
      [
        { _id: 1, n: 2 },
        { _id: null, n: 2 },
      ],
    );
    expectDocuments(
      run([{ $group: { _id: { a: '$a', b: '$b' }, n: { $sum: 1 } } }], [{ a: 1 }, { a: 1, b: 2 }, { a: 1 }]),
      [
        { _id: { a: 1 }, n: 2 },
        { _id: { a: 1, b: 2 }, n: 1 },
      ],
    );
    expectDocuments(run([{ $group: { _id: null } }], []), []);
  });

  test('adds doubles without losing digits, and widens integers', () => {
    expectDocuments(run([{ $group: { _id: null, s: { $sum: '$a' } } }], [{ a: 0.1 }, { a: 0.2 }, { a: 0.3 }]), [
      { _id: null, s: 0.6 },
    ]);
    expectDocuments(run([{ $group: { _id: null, s: { $sum: '$a' } } }], [{ a: 2147483647 }, { a: 1 }]), [
      { _id: null, s: Long.fromNumber(2147483648) },
    ]);
    expectDocuments(run([{ $group: { _id: null, s: { $sum: '$a' } } }], [{ a: 'x' }]), [{ _id: null, s: 0 }]);
  });

  test('has sets, the last, merges, deviations, and the first and greatest n', () => {
    const fields = {
      set: { $addToSet: '$item' },
      last: { $last: '$n' },
      top: { $top: { sortBy: { n: -1 }, output: '$item' } },
      bottom: { $bottomN: { n: 2, sortBy: { n: -1 }, output: '$n' } },
      max: { $maxN: { n: 2, input: '$n' } },
      firsts: { $firstN: { n: 2, input: '$price' } },
      dev: { $stdDevPop: '$n' },
      merged: { $mergeObjects: { $arrayToObject: [[['$item', '$n']]] } },
    };
    const [result] = run([{ $group: { _id: null, ...fields } }], SALES);
    expect(result).toMatchObject({
      set: ['x', 'y', 'z'],
      last: 3,
      top: 'x',
      bottom: [2, 1],
      max: [5, 3],
      firsts: [1.5, 4],
      merged: { x: 5, y: 1, z: 3 },
    });
    expect(result!.dev).toBeCloseTo(Math.sqrt(2.1875));
  });

  test('$count, $sortByCount, $bucket and $bucketAuto', () => {
    expectDocuments(run([{ $count: 'n' }], SALES), [{ n: 4 }]);
    expectDocuments(run([{ $count: 'n' }], []), []);
    expectDocuments(run([{ $sortByCount: '$item' }], SALES).slice(0, 1), [{ _id: 'x', count: 2 }]);
    expectDocuments(
      run(
        [{ $bucket: { groupBy: '$n', boundaries: [0, 2, 4], default: 'more', output: { ids: { $push: '$_id' } } } }],
        SALES,
      ),
      [
        { _id: 0, ids: [2] },
        { _id: 2, ids: [1, 4] },
        { _id: 'more', ids: [3] },
      ],
    );
    expectDocuments(run([{ $bucketAuto: { groupBy: '$n', buckets: 2 } }], SALES), [
      { _id: { min: 1, max: 3 }, count: 2 },
      { _id: { min: 3, max: 5 }, count: 2 },
    ]);
  });
});

describe('stages that join', () => {
  test('$lookup by equal fields, where null equals missing and arrays mean each element', () => {
    const stage = { $lookup: { from: 'owners', localField: 'o', foreignField: '_id', as: 'found' } };
    const ids = (input: Fields): unknown =>
      (run([stage, { $project: { ids: '$found._id' } }], [input])[0] as { ids: unknown }).ids;
    expect(ids({ o: 2 })).toEqual([2]);
    expect(ids({ o: [1, 3, 9] })).toEqual([1, 3]);
    expect(ids({ o: 'none' })).toEqual([]);
    expect(ids({})).toEqual([]);
    const missing = { $lookup: { from: 'owners', localField: 'none', foreignField: 'city', as: 'found' } };
    expectDocuments(run([missing], [{ _id: 1 }]), [{ _id: 1, found: [{ _id: 3, name: 'Cid' }] }]);
  });

  test('$lookup with a pipeline and variables', () => {
    const pipeline = [{ $match: { $expr: { $eq: ['$city', '$$c'] } } }, { $project: { name: 1, mine: '$$c', _id: 0 } }];
    expectDocuments(
      run(
        [{ $lookup: { from: 'owners', let: { c: '$town' }, pipeline, as: 'in.town' } }],
        [{ town: 'Oslo' }, { town: 'Rome' }],
      ),
      [
        { town: 'Oslo', in: { town: [{ name: 'Bob', mine: 'Oslo' }] } },
        { town: 'Rome', in: { town: [{ name: 'Ann', mine: 'Rome' }] } },
      ],
    );
    expectDocuments(
      run(
        [{ $lookup: { from: 'owners', localField: 'o', foreignField: '_id', pipeline: [{ $count: 'n' }], as: 'x' } }],
        [{ o: [1, 2] }],
      ),
      [{ o: [1, 2], x: [{ n: 2 }] }],
    );
  });

  test('$facet runs pipelines over the same documents', () => {
    expectDocuments(
      run(
        [
          { $match: { n: { $gt: 1 } } },
          {
            $facet: {
              count: [{ $count: 'n' }],
              first: [{ $sort: { n: 1 } }, { $limit: 1 }, { $project: { _id: 1 } }],
              none: [{ $match: { n: 0 } }],
            },
          },
        ],
        SALES,
      ),
      [{ count: [{ n: 3 }], first: [{ _id: 1 }], none: [] }],
    );
  });

  test('$unionWith and $documents', () => {
    expectDocuments(
      run(
        [{ $unionWith: { coll: 'owners', pipeline: [{ $match: { _id: 1 } }, { $project: { name: 1 } }] } }],
        [{ _id: 0 }],
      ),
      [{ _id: 0 }, { _id: 1, name: 'Ann' }],
    );
    expectDocuments(run([{ $documents: [{ a: 1 }, { a: { $add: [1, 1] } }] }, { $match: { a: 2 } }]), [{ a: 2 }]);
    expect(compilePipeline(docs({ $documents: [] })).generates).toBe(true);
  });

  test('$graphLookup follows links, each document once', () => {
    const stage = {
      $graphLookup: {
        from: 'people',
        startWith: '$boss',
        connectFromField: 'boss',
        connectToField: '_id',
        as: 'up',
        depthField: 'd',
      },
    };
    const [result] = run([stage], [{ _id: 'z', boss: 'a' }]);
    expect((result!.up as Document[]).map(({ _id, d }) => [_id, d])).toEqual([
      ['a', 0n],
      ['b', 1n],
      ['c', 2n],
    ]);
  });
});

describe('what a pipeline tells the engine', () => {
  test('its leading filter, and where it writes', () => {
    const pipeline = compilePipeline(docs({ $match: { a: 1 } }, { $out: 'copy' }));
    expect(pipeline.leadingFilter).toEqual({ a: 1 });
    expect(pipeline.output).toEqual({ kind: 'out', collection: 'copy' });
    expect(compilePipeline(docs({ $limit: 1 })).leadingFilter).toBeUndefined();
  });

  const merge = (specification: unknown): Extract<ReturnType<typeof compilePipeline>['output'], { kind: 'merge' }> => {
    const { output } = compilePipeline(docs({ $merge: specification }), { let: doc({ up: 10 }) });
    return output as Extract<typeof output, { kind: 'merge' }>;
  };

  test('how $merge combines what exists with what comes', () => {
    const combine = (whenMatched: unknown): Document | undefined =>
      merge({ into: 'm', whenMatched }).combine(doc({ _id: 1, a: 1, b: 1 }), doc({ _id: 1, b: 2, c: 3 }));
    expectDocument(combine('merge')!, { _id: 1, a: 1, b: 2, c: 3 });
    expectDocument(combine('replace')!, { _id: 1, b: 2, c: 3 });
    expect(combine('keepExisting')).toBeUndefined();
    expectError(() => combine('fail'), 11000);
    expectDocument(combine([{ $set: { a: { $add: ['$a', '$$new.b', '$$up'] } } }])!, { _id: 1, a: 13, b: 1 });
    expect(merge('m')).toMatchObject({ collection: 'm', on: ['_id'], whenNotMatched: 'insert' });
    expect(merge({ into: { db: 'd', coll: 'm' }, on: ['a', 'b'], whenNotMatched: 'discard' })).toMatchObject({
      db: 'd',
      collection: 'm',
      on: ['a', 'b'],
      whenNotMatched: 'discard',
    });
  });

  test('stages of the state of the engine are asked of it', () => {
    expectDocuments(run([{ $indexStats: {} }]), [{ stage: '$indexStats' }]);
  });
});

describe('a bad pipeline', () => {
  test.each<[Fields[], number]>([
    [[{ $nope: 1 }], 40324],
    [[{ $match: {}, $limit: 1 }], 40323],
    [[{}], 40323],
    [[{ $out: 'x' }, { $limit: 1 }], 40601],
    [[{ $limit: 0 }], 15958],
    [[{ $limit: 'x' }], 5107201],
    [[{ $skip: -1 }], 5107200],
    [[{ $sort: {} }], 15976],
    [[{ $sort: 5 }], 15973],
    [[{ $match: 5 }], 15959],
    [[{ $project: {} }], 51272],
    [[{ $project: { a: 1, b: 0 } }], 31254],
    [[{ $group: { a: { $sum: 1 } } }], 15955],
    [[{ $group: { _id: 1, a: { $nope: 1 } } }], 15952],
    [[{ $group: { _id: 1, a: 5 } }], 40234],
    [[{ $group: { _id: 1, 'a.b': { $sum: 1 } } }], 40235],
    [[{ $unwind: 'a' }], 28818],
    [[{ $unwind: 5 }], 28808],
    [[{ $count: '' }], 40156],
    [[{ $count: '$x' }], 40158],
    [[{ $lookup: { from: 'x', as: 'y' } }], 9],
    [[{ $lookup: { from: 'x', as: 'y', localField: 'a', foreignField: 'b', nope: 1 } }], 9],
    [[{ $facet: {} }], 40169],
    [[{ $facet: { a: [{ $out: 'x' }] } }], 51047],
    [[{ $limit: 1 }, { $documents: [] }], 40602],
    [[{ $replaceRoot: {} }], 40414],
    [[{ $bucket: { groupBy: '$a', boundaries: [2, 1] } }], 40194],
    [[{ $sample: { size: -1 } }], 28747],
    [[{ $geoNear: {} }], 115],
    [[{ $setWindowFields: {} }], 115],
    [[{ $changeStream: {} }], 115],
    [[{ $merge: { into: 'x', whenMatched: 'nope' } }], 2],
  ])('%j is error %d', (stages, code) => {
    expectError(() => run(stages), code);
  });

  test('fails on documents that a stage cannot take', () => {
    expectError(() => run([{ $replaceRoot: { newRoot: '$a' } }], [{ a: 5 }]), 40228);
    expectError(() => run([{ $bucket: { groupBy: '$a', boundaries: [1, 2] } }], [{ a: 5 }]), 40066);
  });
});
