import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UUID } from 'bson';
import { DirectEngine } from '../engine.test.fixtures.js';
import type { Document } from '../language/values.js';

let direct: DirectEngine;
beforeAll(async () => {
  direct = await DirectEngine.open(await mkdtemp(join(tmpdir(), 'mongo-commands-')));
});
afterAll(async () => {
  await direct.close();
  await rm(direct.dataDir, { recursive: true });
});

let collections = 0;
const newName = (): string => `c${(collections += 1)}`;

async function collectionWith(documents: Document[], ...indexes: Document[]): Promise<string> {
  const name = newName();
  if (indexes.length > 0) expect(await direct.run({ createIndexes: name, indexes })).toMatchObject({ ok: 1 });
  if (documents.length > 0)
    expect(await direct.run({ insert: name, documents })).toMatchObject({ n: documents.length });
  return name;
}

const resultOf = async (command: Document): Promise<Document[]> => {
  const reply = await direct.run(command);
  expect(reply).toMatchObject({ ok: 1 });
  return reply['documents'] as Document[];
};

const ids = async (command: Document): Promise<unknown[]> => (await resultOf(command)).map(({ _id }) => _id);

describe('an unsupported feature', () => {
  const refused: [Document, string][] = [
    [{ find: 'c', collation: { locale: 'de' } }, "the option 'collation' of find"],
    [{ find: 'c', tailable: false }, "the option 'tailable' of find"],
    [{ find: 'c', readConcern: { level: 'snapshot' } }, "readConcern level 'snapshot' outside of transactions"],
    [{ find: 'c', readConcern: { atClusterTime: 1 } }, "the option 'atClusterTime' of readConcern"],
    [{ find: 'c', filter: { a: { $nope: 1 } } }, 'the query operator $nope'],
    [{ find: 'c', projection: { a: { $meta: 'x' } } }, "the projection $meta of 'a'"],
    [{ find: 'c', sort: { a: { $meta: 'x' } } }, 'the sort $meta'],
    [{ insert: 'c', documents: [{}], writeConcern: { fsync: true } }, "the option 'fsync' of writeConcern"],
    [{ create: 'c', capped: true }, "the option 'capped' of create"],
    [{ createIndexes: 'c', indexes: [{ key: { a: 'text' }, name: 't' }] }, 'an index of type "text"'],
    [{ createIndexes: 'c', indexes: [{ key: { 'a.$**': 1 }, name: 'w' }] }, "'$**' in the path 'a.$**'"],
    [{ createIndexes: 'c', indexes: [{ key: { a: 1 }, name: 'a', hidden: true }] }, "the option 'hidden' of an index"],
    [{ aggregate: 'c', pipeline: [{ $changeStream: {} }], cursor: {} }, 'the stage $changeStream'],
    [{ explain: { aggregate: 'c', pipeline: [] }, verbosity: 'queryPlanner' }, "explain of 'aggregate'"],
    [{ explain: { find: 'c', min: {} }, verbosity: 'queryPlanner' }, "the option 'min' of explain"],
    [{ explain: { find: 'c' }, verbosity: 'allPlansExecution' }, "the verbosity 'allPlansExecution' of explain"],
    [{ aggregate: 'c', pipeline: [], cursor: { nope: 1 } }, "the option 'nope' of cursor"],
    [{ killAllSessions: [{ user: 'x' }] }, 'killAllSessions of named users'],
    [{ getParameter: '*', $db: 'admin' }, 'getParameter of all parameters'],
    [{ configureFailPoint: 'another', mode: 'alwaysOn', $db: 'admin' }, "the fail point 'another'"],
    [
      { configureFailPoint: 'failCommand', mode: 'alwaysOn', data: { x: 1 }, $db: 'admin' },
      "the option 'x' of failCommand",
    ],
  ];
  test.each(refused)('in %j is rejected, and the error names the feature', async (command, what) => {
    const errmsg = `${what} is not supported by this engine`;
    expect(await direct.run(command)).toMatchObject({ ok: 0, code: 115, errmsg });
  });

  const statements: [Document, string][] = [
    [{ update: 'c', updates: [{ q: {}, u: {}, collation: {} }] }, "the option 'collation' of update.updates"],
    [{ update: 'c', updates: [{ q: {}, u: { $rename: {} } }] }, 'the update operator $rename'],
    [{ delete: 'c', deletes: [{ q: {}, limit: 1, collation: {} }] }, "the option 'collation' of delete.deletes"],
  ];
  test.each(statements)('in a statement of %j is rejected, and the error names the feature', async (command, what) => {
    const error = { index: 0, code: 115, errmsg: `${what} is not supported by this engine` };
    expect(await direct.run(command)).toMatchObject({ ok: 1, writeErrors: [error] });
  });

  test('an unknown command fails with CommandNotFound', async () => {
    for (const name of ['mapReduce', 'constructor', '__proto__', '']) {
      const errmsg = `the command '${name}' is not supported by this engine`;
      expect(await direct.run({ [name]: 1 })).toMatchObject({ ok: 0, code: 59, errmsg });
    }
  });
});

describe('bad input', () => {
  const bad: [Document, number][] = [
    [{ find: 5 }, 73],
    [{ find: 'a$b' }, 73],
    [{ find: 'c', $db: 'a.b' }, 73],
    [{ find: 'c', $db: '' }, 73],
    [{ find: 'c', filter: 5 }, 14],
    [{ find: 'c', filter: { $and: [] } }, 2],
    [{ find: 'c', limit: -1 }, 2],
    [{ find: 'c', limit: 'x' }, 14],
    [{ find: 'c', skip: -1 }, 2],
    [{ find: 'c', maxTimeMS: -1 }, 2],
    [{ find: 'c', readConcern: { level: 'none' } }, 9],
    [{ find: 'c', writeConcern: { w: 1 } }, 72],
    [{ find: 'c', txnNumber: 1n }, 72],
    [{ insert: 'c', documents: [] }, 16],
    [{ insert: 'c', documents: [{}], writeConcern: { w: 51 } }, 9],
    [{ insert: 'c', documents: [{}], readConcern: { level: 'majority' } }, 72],
    [{ getMore: 5n, collection: 'c' }, 43],
    [{ getMore: 5, collection: 'c' }, 14],
    [{ listDatabases: 1 }, 13],
    [{ aggregate: 'c', pipeline: [] }, 9],
    [{ createIndexes: 'c', indexes: [{ key: {}, name: 'x' }] }, 67],
    [{ createIndexes: 'c', indexes: [{ key: { a: 0 }, name: 'x' }] }, 115],
    [{ dropIndexes: 'none', index: 'a' }, 26],
    [{ collMod: 'none' }, 26],
    [{ listIndexes: 'none' }, 26],
    [{ commitTransaction: 1, $db: 'admin' }, 72],
  ];
  test.each(bad)('%j fails with error code %d', async (command, code) => {
    expect(await direct.run(command)).toMatchObject({ ok: 0, code });
  });

  test.each([[[1]], [{ $a: 1 }]])('an _id of %j is refused', async (_id) => {
    expect(await direct.run({ insert: newName(), documents: [{ _id }] })).toMatchObject({
      n: 0,
      writeErrors: [{ index: 0 }],
    });
  });

  test('a field with a numeric name is not stored before the _id', async () => {
    const name = await collectionWith([{ _id: 'a', 1: 'x' }, { _id: 'b' }]);
    await direct.run({ update: name, updates: [{ q: { _id: 'b' }, u: { $set: { 0: 'y' } } }] });
    expect(await direct.run({ insert: name, documents: [{ _id: 'a' }] })).toMatchObject({
      writeErrors: [{ code: 11000 }],
    });
    direct = await direct.reopen();
    expect(await resultOf({ find: name, filter: { _id: { $in: ['a', 'b'] } } })).toEqual([
      { _id: 'a', 1: 'x' },
      { _id: 'b', 0: 'y' },
    ]);
    expect(await direct.run({ validate: name })).toMatchObject({ valid: true });
  });

  test('an insert or update that would store a document over 16 MiB is refused', async () => {
    const nineMiB = 'x'.repeat(9 * 1024 * 1024);
    const name = await collectionWith([{ _id: 1, first: nineMiB }]);
    expect(await direct.run({ insert: name, documents: [{ _id: 2, first: nineMiB, second: nineMiB }] })).toMatchObject({
      writeErrors: [{ code: 10334 }],
    });
    expect(
      await direct.run({ update: name, updates: [{ q: { _id: 1 }, u: { $set: { second: nineMiB } } }] }),
    ).toMatchObject({ writeErrors: [{ code: 10334 }] });
  });
});

describe('cursors', () => {
  test('return the result in batches and close after the last one', async () => {
    const name = await collectionWith(Array.from({ length: 250 }, (_, _id) => ({ _id })));
    const first = await direct.run({ find: name, batchSize: 100 });
    const second = await direct.run({ getMore: first['cursorId'], collection: name, batchSize: 100 });
    const third = await direct.run({ getMore: first['cursorId'], collection: name });
    expect([first, second, third].map((reply) => (reply['documents'] as unknown[]).length)).toEqual([100, 100, 50]);
    expect(third['cursorId']).toBe(0n);
    expect(await direct.run({ getMore: first['cursorId'], collection: name })).toMatchObject({ code: 43 });
  });

  test('close when they are killed or their collection is dropped', async () => {
    const name = await collectionWith(Array.from({ length: 10 }, (_, _id) => ({ _id })));
    const open = async (): Promise<unknown> => (await direct.run({ find: name, batchSize: 2 }))['cursorId'];
    const [killed, dropped] = [await open(), await open()];
    expect(await direct.run({ killCursors: name, cursors: [killed, 4711n] })).toMatchObject({
      cursorsKilled: [killed],
      cursorsNotFound: [4711n],
    });
    await direct.run({ drop: name });
    for (const id of [killed, dropped])
      expect(await direct.run({ getMore: id, collection: name })).toMatchObject({ code: 43 });
  });

  test('split a batch that would exceed 16 MiB', async () => {
    const text = 'x'.repeat(6 * 1024 * 1024);
    const name = await collectionWith([]);
    for (let _id = 0; _id < 4; _id += 1) await direct.run({ insert: name, documents: [{ _id, text }] });
    const first = await direct.run({ find: name });
    expect((first['documents'] as unknown[]).length).toBe(2);
    expect((await direct.run({ getMore: first['cursorId'], collection: name }))['documents']).toHaveLength(2);
  });

  test('cannot be used by another session', async () => {
    const name = await collectionWith([{ _id: 1 }, { _id: 2 }]);
    const lsid = { id: new UUID() };
    const { cursorId } = await direct.run({ find: name, batchSize: 1, lsid });
    expect(await direct.run({ getMore: cursorId, collection: name })).toMatchObject({ ok: 0 });
    expect(await ids({ getMore: cursorId, collection: name, lsid })).toEqual([2]);
  });
});

describe('indexes', () => {
  const unique = (key: Document, more: Document = {}): Document => ({
    key,
    name: Object.keys(key).join('_'),
    unique: true,
    ...more,
  });

  test('a unique index refuses duplicates, with the key in the error', async () => {
    const name = await collectionWith([{ _id: 1, a: 1, b: 'x' }], unique({ a: 1, b: -1 }));
    const { writeErrors } = await direct.run({ insert: name, documents: [{ _id: 2, a: 1, b: 'x' }] });
    expect(writeErrors).toEqual([
      {
        index: 0,
        code: 11000,
        errmsg: `E11000 duplicate key error collection: test.${name} index: a_b dup key: { a: 1, b: "x" }`,
        keyPattern: { a: 1, b: -1 },
        keyValue: { a: 1, b: 'x' },
      },
    ]);
    expect(await direct.run({ createIndexes: name, indexes: [unique({ c: 1 })] })).toMatchObject({ ok: 1 });
    expect(await direct.run({ insert: name, documents: [{ _id: 3, a: 2 }] })).toMatchObject({
      writeErrors: [{ keyValue: { c: null } }],
    });
  });

  test('a unique index is not created if values are duplicated', async () => {
    const name = await collectionWith([{ a: 1 }, { a: 1 }]);
    expect(await direct.run({ createIndexes: name, indexes: [unique({ a: 1 })] })).toMatchObject({
      ok: 0,
      code: 11000,
    });
    expect(await resultOf({ listIndexes: name })).toHaveLength(1);
  });

  test('partial and sparse indexes constrain only the documents that they contain', async () => {
    const name = await collectionWith(
      [{ _id: 1, a: 1, on: true }, { _id: 2, a: 1 }, { _id: 3, a: 1, on: false }, { _id: 4 }, { _id: 5, s: 1 }],
      unique({ a: 1 }, { partialFilterExpression: { on: true } }),
      unique({ s: 1 }, { sparse: true }),
    );
    expect(await direct.run({ insert: name, documents: [{ a: 1, on: true }] })).toMatchObject({
      writeErrors: [{ code: 11000 }],
    });
    expect(await direct.run({ update: name, updates: [{ q: { _id: 3 }, u: { $set: { on: true } } }] })).toMatchObject({
      writeErrors: [{ code: 11000 }],
    });
    expect(await ids({ find: name, filter: { a: 1 }, sort: { _id: 1 } })).toEqual([1, 2, 3]);
    expect(await ids({ find: name, filter: { s: null }, sort: { _id: 1 } })).toEqual([1, 2, 3, 4]);
    expect(await ids({ find: name, sort: { s: 1, _id: 1 } })).toEqual([1, 2, 3, 4, 5]);
  });

  test('an index cannot contain two arrays of a document', async () => {
    const name = await collectionWith([], { key: { a: 1, b: 1 }, name: 'ab' });
    expect(await direct.run({ insert: name, documents: [{ a: [1], b: [1] }] })).toMatchObject({
      writeErrors: [{ code: 171 }],
    });
  });

  test('creating an existing index changes nothing; a different one with the same name or key is refused', async () => {
    const name = await collectionWith([{ a: 1 }], { key: { a: 1 }, name: 'a_1' });
    const make = (index: Document): Promise<Document> => direct.run({ createIndexes: name, indexes: [index] });
    expect(await make({ key: { a: 1 }, name: 'a_1' })).toMatchObject({
      ok: 1,
      numIndexesBefore: 2,
      numIndexesAfter: 2,
    });
    expect(await make({ key: { a: 1 }, name: 'a_1', unique: true })).toMatchObject({ code: 85 });
    expect(await make({ key: { b: 1 }, name: 'a_1' })).toMatchObject({ code: 86 });
    expect(await make({ key: { a: 1 }, name: 'other' })).toMatchObject({ code: 85 });
  });

  test('a document with an array before the end of an indexed path is refused', async () => {
    const name = await collectionWith([{ _id: 1, a: { b: [1, 2] } }], { key: { 'a.b': 1 }, name: 'b' });
    const what = "an array before the end of the path 'a.b' is not supported by this engine";
    expect(await direct.run({ insert: name, documents: [{ _id: 2, a: [{ b: 1 }] }] })).toMatchObject({
      writeErrors: [{ code: 115, errmsg: what }],
    });
    expect(await ids({ find: name, filter: { 'a.b': 2 } })).toEqual([1]);
  });

  test('a result is sorted correctly if $in does not bound the index scan or has too many values to merge', async () => {
    const documents = [
      { _id: 1, a: 2, b: 5, c: 9 },
      { _id: 2, a: 2, b: 6, c: 1 },
      { _id: 3, a: 3, b: 6, c: 0 },
    ];
    const name = await collectionWith(documents, { key: { a: 1, b: 1, c: 1 }, name: 'abc' });
    const page = { find: name, filter: { a: { $gt: 1 }, b: { $in: [5, 6] } }, sort: { a: 1, c: 1 } };
    expect(await ids(page)).toEqual([2, 1, 3]);
    expect(await ids({ ...page, limit: 1 })).toEqual([2]);
    const many = Array.from({ length: 2_500 }, (_, i) => i);
    const reversed = await collectionWith([...documents].reverse(), { key: { a: 1, c: -1 }, name: 'ac' });
    expect(await ids({ find: reversed, filter: { a: { $in: many } }, sort: { c: -1 } })).toEqual([1, 2, 3]);
    expect(await ids({ find: reversed, filter: { a: { $in: many } }, sort: { c: 1 }, limit: 1 })).toEqual([3]);
    const few = many.slice(0, 50);
    const both = await collectionWith(documents, { key: { a: 1, b: 1, c: 1 }, name: 'abc' });
    const filter = { a: { $in: few }, b: { $in: few } };
    expect(await ids({ find: both, filter, sort: { c: 1 } })).toEqual([3, 2, 1]);
  });

  test('dropIndexes with * drops all indexes except that of _id', async () => {
    const name = await collectionWith([{ _id: 1, a: 1, b: 1 }], { key: { a: 1 }, name: 'a_1' });
    await direct.run({ createIndexes: name, indexes: [{ key: { b: 1 }, name: 'b_1', unique: true }] });
    const reply = { nIndexesWas: 3, msg: 'non-_id indexes dropped for collection', ok: 1 };
    expect(await direct.run({ dropIndexes: name, index: '*' })).toEqual(reply);
    expect((await direct.run({ listIndexes: name }))['documents']).toMatchObject([{ name: '_id_' }]);
    expect(await direct.run({ dropIndexes: name, index: '*' })).toMatchObject({ nIndexesWas: 1, ok: 1 });
    expect(await direct.run({ insert: name, documents: [{ _id: 2, b: 1 }] })).toEqual({ n: 1, ok: 1 });
  });

  test('a TTL index deletes expired documents, and its expireAfterSeconds can be changed', async () => {
    const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);
    const documents = [
      { _id: 1, at: ago(100) },
      { _id: 2, at: ago(10) },
      { _id: 3, at: 'never' },
      { _id: 4 },
      { _id: 5, at: [ago(-100), ago(100)] },
    ];
    const name = await collectionWith(documents, { key: { at: 1 }, name: 'at_1', expireAfterSeconds: 60 });
    direct.engine.ttl.pass();
    expect(await ids({ find: name })).toEqual([2, 3, 4]);
    const reply = await direct.run({ collMod: name, index: { name: 'at_1', expireAfterSeconds: 5 } });
    expect(reply).toEqual({ expireAfterSeconds_old: 60, expireAfterSeconds_new: 5, ok: 1 });
    direct.engine.ttl.pass();
    expect(await ids({ find: name })).toEqual([3, 4]);
  });
});

test('a projection of documents in the data file hides no field from the filter, the sort or an index scan', async () => {
  const documents = Array.from({ length: 9 }, (_, i) => ({ _id: i, a: i % 3, b: 9 - i, c: 'x' }));
  const name = await collectionWith(documents, { key: { c: 1 }, name: 'c_1' });
  direct = await direct.reopen();
  const found = async (command: Document) => (await direct.run({ find: name, ...command }))['documents'];
  const _id = { $gte: 3 };
  expect(await found({ filter: { _id }, projection: { a: 1 }, limit: 2 })).toEqual([
    { _id: 3, a: 0 },
    { _id: 4, a: 1 },
  ]);
  expect(await found({ filter: { _id, a: 1 }, projection: { b: 1, _id: 0 } })).toEqual([{ b: 5 }, { b: 2 }]);
  expect(await found({ filter: { _id, a: 1 }, sort: { b: 1 }, projection: { _id: 1 } })).toEqual([
    { _id: 7 },
    { _id: 4 },
  ]);
  expect(await found({ filter: { c: 'x', a: 2 }, projection: { b: 1, _id: 0 } })).toEqual([
    { b: 7 },
    { b: 4 },
    { b: 1 },
  ]);
});

test('a sort without an index fails if it sorts more than 100 MiB', async () => {
  const large = (_id: number): Document => ({ _id, n: -_id, text: 'x'.repeat(1_000_000) });
  const name = await collectionWith(Array.from({ length: 110 }, (_, i) => large(i)));
  expect(await direct.run({ find: name, sort: { n: 1 } })).toMatchObject({ code: 292 });
  const page = { find: name, sort: { n: 1 }, projection: { text: 0 }, skip: 2, limit: 3 };
  expect((await direct.run(page))['code']).toBe(292);
  const pipeline = [{ $sort: { n: 1 } }, { $limit: 1 }, { $project: { text: 0 } }];
  expect((await direct.run({ aggregate: name, pipeline, cursor: {} }))['code']).toBe(292);
  await direct.run({ delete: name, deletes: [{ q: { _id: { $gte: 50 } }, limit: 0 }] });
  await direct.run({
    insert: name,
    documents: Array.from({ length: 3_000 }, (_, i) => ({ _id: 1_000 + i, n: i % 7 })),
  });
  expect((await direct.run(page))['documents']).toMatchObject([{ _id: 47 }, { _id: 46 }, { _id: 45 }]);
  expect((await direct.run({ aggregate: name, pipeline, cursor: {} }))['documents']).toEqual([{ _id: 49, n: -49 }]);
});

describe('explain', () => {
  const stagesOf = (stage: Document | undefined): string[] =>
    stage ? [stage['stage'] as string, ...stagesOf(stage['inputStage'] as Document)] : [];

  async function explained(name: string, query: Document): Promise<{ stages: string[]; keys: unknown; docs: unknown }> {
    const reply = await direct.run({ explain: { find: name, ...query }, verbosity: 'executionStats' });
    expect(reply).toMatchObject({ ok: 1 });
    const { winningPlan } = reply['queryPlanner'] as { winningPlan: Document };
    const { totalKeysExamined, totalDocsExamined } = reply['executionStats'] as Document;
    return { stages: stagesOf(winningPlan), keys: totalKeysExamined, docs: totalDocsExamined };
  }

  const documents = Array.from({ length: 1000 }, (_, i) => ({
    _id: i,
    ws: `w${i % 10}`,
    at: new Date(1000 * i),
    tags: [`t${i % 3}`, 'all'],
    state: i % 100 === 0 ? 'open' : 'shut',
  }));
  let name: string;
  beforeAll(async () => {
    const indexes = [
      { key: { ws: 1, at: -1, _id: -1 }, name: 'page' },
      { key: { tags: 1 }, name: 'tags' },
      { key: { state: 1 }, name: 'open', partialFilterExpression: { state: 'open' } },
    ];
    name = await collectionWith(documents, ...indexes);
  });

  const queries: [string, Document, string[], number, number][] = [
    ['an _id', { filter: { _id: 7 } }, ['FETCH', 'IXSCAN'], 1, 1],
    ['some _ids', { filter: { _id: { $in: [7, 8, 9, 5000] } } }, ['FETCH', 'IXSCAN'], 3, 3],
    [
      'many _ids',
      { filter: { _id: { $in: Array.from({ length: 3_000 }, (_, i) => 990 + i) } } },
      ['FETCH', 'IXSCAN'],
      10,
      10,
    ],
    ['a page in index order', { filter: { ws: 'w3' }, sort: { at: -1 }, limit: 5 }, ['FETCH', 'IXSCAN'], 5, 5],
    ['a page in reverse order', { filter: { ws: 'w3' }, sort: { at: 1, _id: 1 }, limit: 5 }, ['FETCH', 'IXSCAN'], 5, 5],
    [
      'the page after a given key',
      {
        filter: { ws: 'w3', $or: [{ at: { $lt: new Date(53_000) } }, { at: new Date(53_000), _id: { $lt: 53 } }] },
        sort: { at: -1, _id: -1 },
        limit: 5,
      },
      ['FETCH', 'SORT_MERGE'],
      5,
      5,
    ],
    [
      'the values of $in, merged in the order of the sort',
      { filter: { ws: { $in: ['w1', 'w2'] } }, sort: { at: -1 }, limit: 4 },
      ['FETCH', 'IXSCAN'],
      5,
      5,
    ],
    [
      'a regular expression with a literal prefix',
      { filter: { ws: { $regex: '^w3' }, at: { $gt: new Date(0) } } },
      ['FETCH', 'IXSCAN'],
      100,
      100,
    ],
    ['an element of an array', { filter: { tags: 't1' } }, ['FETCH', 'IXSCAN'], 333, 333],
    ['a partial index', { filter: { state: 'open' } }, ['FETCH', 'IXSCAN'], 10, 10],
    ['documents that the partial index does not contain', { filter: { state: 'shut' } }, ['COLLSCAN'], 0, 1000],
    [
      'an order that no index provides',
      { filter: { ws: 'w3' }, sort: { state: 1 } },
      ['SORT', 'FETCH', 'IXSCAN'],
      100,
      100,
    ],
    ['a filter that no index supports', { filter: { nothing: 1 } }, ['COLLSCAN'], 0, 1000],
  ];
  test.each(queries)(
    'reports the plan and the numbers of examined keys and documents for %s',
    async (_, query, stages, keys, docs) => {
      expect(await explained(name, query)).toEqual({ stages, keys, docs });
    },
  );

  test('a hint is used; a hint on a missing index is refused', async () => {
    expect(await explained(name, { filter: { ws: 'w1' }, hint: { $natural: 1 } })).toMatchObject({
      stages: ['COLLSCAN'],
    });
    expect(await explained(name, { filter: { ws: 'w1' }, hint: '_id_' })).toMatchObject({ keys: 1000 });
    expect(await direct.run({ find: name, hint: { nothing: 1 } })).toMatchObject({ ok: 0, code: 2 });
  });
});

describe('other commands:', () => {
  test('dropping a database keeps the other databases', async () => {
    await direct.run({ insert: 'c', documents: [{ _id: 1 }], $db: 'gone' });
    await direct.run({ insert: 'c', documents: [{ _id: 1 }], $db: 'stays' });
    await direct.run({ dropDatabase: 1, $db: 'gone' });
    const { databases } = await direct.run({ listDatabases: 1, $db: 'admin' });
    const names = (databases as { name: string }[]).map(({ name }) => name);
    expect(names.filter((name) => name === 'gone' || name === 'stays')).toEqual(['stays']);
  });

  test('a write concern that one node cannot satisfy returns writeConcernError, and the write is executed', async () => {
    const name = newName();
    expect(await direct.run({ insert: name, documents: [{ _id: 1 }], writeConcern: { w: 2 } })).toMatchObject({
      n: 1,
      ok: 1,
      writeConcernError: { code: 100 },
    });
    expect(
      await direct.run({
        insert: name,
        documents: [{ _id: 2 }],
        writeConcern: { w: 'majority', j: true, wtimeout: 5 },
      }),
    ).toEqual({ n: 1, ok: 1 });
    expect(await direct.all(name)).toHaveLength(2);
  });

  test('failCommand fails or delays commands, or closes the connection, as configured', async () => {
    const configure = (mode: unknown, data: Document): Promise<Document> =>
      direct.run({ configureFailPoint: 'failCommand', mode, data: { failCommands: ['find'], ...data }, $db: 'admin' });
    await configure({ times: 1 }, { errorCode: 91, errorLabels: ['X'] });
    expect(await direct.run({ find: 'c' })).toMatchObject({
      ok: 0,
      code: 91,
      codeName: 'ShutdownInProgress',
      errorLabels: ['X'],
    });
    expect(await direct.run({ find: 'c' })).toMatchObject({ ok: 1 });
    await configure({ skip: 1 }, { blockConnection: true, blockTimeMS: 30 });
    await direct.run({ find: 'c' });
    const begun = Date.now();
    await direct.run({ find: 'c' });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(29);
    await configure('alwaysOn', { closeConnection: true });
    await expect(direct.run({ find: 'c' })).rejects.toThrow();
    await configure('off', {});
    expect(await direct.run({ find: 'c' })).toMatchObject({ ok: 1 });
  });
});
