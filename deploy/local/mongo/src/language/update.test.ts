import { describe, expect, test } from '@jest/globals';
import { BSONRegExp, Double, Long, ObjectId } from 'bson';
import { doc, docs, expectDocument, expectError } from './bson.test.fixtures.js';
import { compileUpdate } from './update.js';
import type { Document } from './values.js';

type Fields = Record<string, unknown>;

const readUpdate = (update: Fields | Fields[]): Document | Document[] =>
  Array.isArray(update) ? docs(...update) : doc(update);

const applied = (before: Fields, update: Fields | Fields[]): { doc: Document; modified: boolean } =>
  compileUpdate(readUpdate(update)).apply(doc(before));

/** Expects the result of an update, and that the original document does not change. */
const expectUpdate = (before: Fields, update: Fields | Fields[], after: Fields): void => {
  const original = doc(before);
  const result = compileUpdate(readUpdate(update)).apply(original);
  expectDocument(result.doc, after);
  expectDocument(original, before);
};

const long = (text: string): Long => Long.fromString(text);

describe('$set and $unset', () => {
  test.each<[string, Fields, Fields, Fields]>([
    ['set a field in place', { a: 1, b: 2 }, { $set: { a: 9 } }, { a: 9, b: 2 }],
    [
      'add fields in the order of their names',
      { z: 1 },
      { $set: { c: 1, b: 2, 'a.x': 3 } },
      { z: 1, a: { x: 3 }, b: 2, c: 1 },
    ],
    ['create missing parent documents', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
    ['create a document, not an array, for a numeric name', {}, { $set: { 'a.0': 1 } }, { a: { 0: 1 } }],
    ['replace a value with one of another type', { a: 1 }, { $set: { a: new Double(1) } }, { a: new Double(1) }],
    [
      'keep field names with dollars and dots inside of a value',
      { a: 1 },
      { $set: { a: { $b: 1, 'c.d': 2 } } },
      { a: { $b: 1, 'c.d': 2 } },
    ],
  ])('%s', (_name, before, update, after) => {
    expectUpdate(before, update, after);
  });

  test('remove fields', () => {
    expectUpdate({ a: 1, b: { c: 1, d: 2 } }, { $unset: { a: '', 'b.c': 1, q: 1, 'x.y': 1 } }, { b: { d: 2 } });
    expectUpdate({ a: 5 }, { $unset: { 'a.b': 1 } }, { a: 5 });
  });

  test('modify nothing if every field already has the requested value', () => {
    const original = doc({ a: { b: 1, c: 'x' }, n: NaN });
    const update = compileUpdate(doc({ $set: { 'a.c': 'x', n: NaN }, $unset: { q: 1 }, $inc: { 'a.b': 0 } }));
    expect(update.apply(original)).toEqual({ doc: original, modified: false });
    expect(update.apply(original).doc).toBe(original);
  });

  test('share unmodified subdocuments with the original', () => {
    const original = doc({ a: { x: 1 }, b: { y: 1 } });
    const { doc: after } = compileUpdate(doc({ $set: { 'a.x': 2 } })).apply(original);
    expect(after.b).toBe(original.b);
    expect(original).toEqual(doc({ a: { x: 1 }, b: { y: 1 } }));
  });
});

describe('arithmetic', () => {
  test.each<[Fields, Fields, Fields]>([
    [{ a: 1 }, { $inc: { a: 2 } }, { a: 3 }],
    [{}, { $inc: { a: 2, 'b.c': 1 } }, { a: 2, b: { c: 1 } }],
    [{ a: 2147483647 }, { $inc: { a: 1 } }, { a: long('2147483648') }],
    [{ a: 1 }, { $inc: { a: long('1') } }, { a: long('2') }],
    [{ a: 1 }, { $inc: { a: 1.5 } }, { a: 2.5 }],
    [{ a: 1.5 }, { $inc: { a: 1.5 } }, { a: new Double(3) }],
    [{ a: new Double(1) }, { $inc: { a: 1 } }, { a: new Double(2) }],
    [{ a: 5 }, { $inc: { a: -7 } }, { a: -2 }],
    [{ a: 5 }, { $min: { a: 3 }, $max: { b: 3 } }, { a: 3, b: 3 }],
    [
      { a: 5, b: 5 },
      { $min: { a: 9 }, $max: { b: 3 } },
      { a: 5, b: 5 },
    ],
    [{ a: 'x' }, { $max: { a: 99 } }, { a: 'x' }],
    [{ a: 'x' }, { $min: { a: 99 } }, { a: 99 }],
    [{ a: null }, { $max: { a: 0 } }, { a: 0 }],
    [{ a: 1 }, { $max: { a: new Double(1) } }, { a: 1 }],
  ])('%j with %j', (before, update, after) => {
    expectUpdate(before, update, after);
  });

  test('rejects types other than numbers, and sums above 64 bits', () => {
    expectError(
      () => applied({ _id: 1, a: 'x' }, { $inc: { a: 1 } }),
      14,
      'Cannot apply $inc to a value of non-numeric type string at a of {_id: 1}',
    );
    expectError(() => applied({ a: null }, { $inc: { a: 1 } }), 14, 'null');
    expectError(() => applied({}, { $inc: { a: 'x' } }), 14, 'Cannot increment a with "x"');
    expectError(() => applied({ a: long('9223372036854775807') }, { $inc: { a: 1 } }), 2, 'exceeds 64 bits');
  });
});

describe('$push and $pull', () => {
  test.each<[Fields, Fields, Fields]>([
    [{ a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
    [{}, { $push: { a: [1] } }, { a: [[1]] }],
    [{ a: [1, 2] }, { $push: { a: { $each: [3, 4], $slice: -3 } } }, { a: [2, 3, 4] }],
    [{ a: [1, 2, 1, 3] }, { $pull: { a: 1 } }, { a: [2, 3] }],
    [{ a: [new Double(1), 2] }, { $pull: { a: 1 } }, { a: [2] }],
    [{ a: [[1, 2], [1]] }, { $pull: { a: [1] } }, { a: [[1, 2]] }],
    [{ b: 1 }, { $pull: { a: 1 } }, { b: 1 }],
  ])('%j with %j', (before, update, after) => {
    expectUpdate(before, update, after);
  });

  test('reject types other than arrays', () => {
    expectError(() => applied({ _id: 1, a: 'x' }, { $push: { a: 1 } }), 2, "'a' of {_id: 1} must be an array");
    expectError(() => applied({ a: 1 }, { $pull: { a: 1 } }), 2, 'Cannot apply $pull to a non-array value');
  });
});

describe('unsupported features are rejected with an error that names them:', () => {
  test.each<[Fields, string]>([
    [{ $foo: { a: 1 } }, 'the update operator $foo'],
    [{ $rename: { a: 'b' } }, 'the update operator $rename'],
    [{ $addToSet: { a: 1 } }, 'the update operator $addToSet'],
    [{ $set: { a: 1 }, b: 2 }, 'the update operator b'],
    [
      { $push: { a: { $each: [1], $slice: -1, $sort: 1 } } },
      '$push with modifiers other than $each together with a negative $slice',
    ],
    [
      { $push: { a: { $each: 1, $slice: -1 } } },
      '$push with modifiers other than $each together with a negative $slice',
    ],
    [
      { $push: { a: { $each: [1], $slice: 5 } } },
      '$push with modifiers other than $each together with a negative $slice',
    ],
    [{ $pull: { a: { $gte: 5 } } }, 'a condition of $pull'],
    [{ $set: { 'a.$': 1 } }, "'$' in the path 'a.$'"],
    [{ $set: { 'a.$[]': 1 } }, "'$[]' in the path 'a.$[]'"],
    [{ $set: { 'list.0': 1 } }, "an array before the end of the path 'list.0'"],
  ])('%j', (update, what) => {
    expectError(() => applied({ _id: 1, list: [1] }, update), 115, `${what} is not supported by this engine`);
  });
});

describe('invalid updates', () => {
  test.each<[Fields, Fields, number, string]>([
    [{ a: 1 }, { $set: { 'a.b': 1 } }, 28, "Cannot create field 'b' in element {a: 1}"],
    [{ a: null }, { $set: { 'a.b': 1 } }, 28, "Cannot create field 'b' in element {a: null}"],
    [{}, { $set: { a: 1 }, $inc: { a: 1 } }, 40, "Updating the path 'a' would create a conflict at 'a'"],
    [{}, { $set: { 'a.b': 1, a: 1 } }, 40, "Updating the path 'a.b' would create a conflict at 'a'"],
    [{}, { $set: { a: 1, 'a.b': 1 } }, 40, "Updating the path 'a.b' would create a conflict at 'a'"],
    [{}, { $set: { '': 1 } }, 2, "invalid field name in the path ''"],
    [{}, { $set: { 'a..b': 1 } }, 2, "invalid field name in the path 'a..b'"],
    [{}, { $set: { $a: 1 } }, 115, "'$a' in the path '$a'"],
    [{}, { $set: 1 }, 9, '$set needs a document of fields, not type int'],
    [{}, { a: 1, $set: { b: 1 } }, 52, '$set'],
    [{ _id: 1 }, { $set: { _id: 2 } }, 66, "would modify the immutable field '_id'"],
    [{ _id: { a: 1 } }, { $set: { '_id.a': 2 } }, 66, "immutable field '_id'"],
    [{ _id: 1 }, { $unset: { _id: 1 } }, 66, "immutable field '_id'"],
    [{ _id: 1 }, { _id: 2, a: 1 }, 66, "the immutable field '_id' cannot be changed to 2"],
  ])('%j with %j throws error %d', (before, update, code, message) => {
    expectError(() => applied(before, update), code, message);
  });
});

test('an operator without fields modifies nothing', () => {
  expectUpdate({ a: 1 }, { $set: {} }, { a: 1 });
  expect(applied({ a: 1 }, { $set: {} }).modified).toBe(false);
});

describe('a replacement', () => {
  test('keeps the _id, as the first field', () => {
    expectUpdate({ _id: 1, a: 1 }, { b: 2 }, { _id: 1, b: 2 });
    expectUpdate({ _id: 1, a: 1 }, { b: 2, _id: 1 }, { _id: 1, b: 2 });
    expectUpdate({ _id: 1, a: 1 }, {}, { _id: 1 });
  });

  test('with the same document modifies nothing', () => {
    expect(applied({ _id: 1, a: 1 }, { a: 1 }).modified).toBe(false);
    expect(applied({ _id: 1, a: 1 }, { a: new Double(1) }).modified).toBe(true);
  });

  test('can have dots in field names, and dollars below the top level', () => {
    expectUpdate({ _id: 1 }, { a: { $b: 1 }, 'c.d': 1 }, { _id: 1, a: { $b: 1 }, 'c.d': 1 });
    expectError(() => applied({ _id: 1 }, { a: 1, $b: 1 }), 52);
  });
});

describe('a pipeline', () => {
  test('computes fields from the document', () => {
    expectUpdate({ _id: 1, a: 2 }, [{ $set: { b: '$a' } }, { $project: { b: 1 } }], { _id: 1, b: 2 });
    expectUpdate({ _id: 1, t: { x: 1 } }, [{ $replaceRoot: { newRoot: '$t' } }, { $addFields: { y: 2 } }], {
      _id: 1,
      x: 1,
      y: 2,
    });
    expectUpdate({ _id: 1, a: 1, b: 2 }, [{ $project: { a: 1 } }], { _id: 1, a: 1 });
  });

  test('that computes the existing values modifies nothing', () => {
    expect(applied({ _id: 1, a: 2 }, [{ $set: { a: 2 } }]).modified).toBe(false);
  });

  test('is rejected if a stage selects documents, changes the _id, or has two operators', () => {
    expectError(
      () => applied({}, [{ $match: {} }]),
      115,
      'the stage $match in an update is not supported by this engine',
    );
    expectError(() => applied({ _id: 1 }, [{ $set: { _id: 2 } }]), 66);
    expectError(() => applied({}, [{ $set: { a: 1 }, $project: { b: 1 } }]), 40323);
  });
});

describe('an upsert', () => {
  const upsert = (filter: Fields, update: Fields | Fields[]): Document =>
    compileUpdate(readUpdate(update)).upsert(doc(filter));

  test.each<[Fields, Fields | Fields[], Fields]>([
    [{ _id: 1, a: 2 }, { $set: { b: 3 } }, { _id: 1, a: 2, b: 3 }],
    [{ _id: 1, a: { $gt: 2 }, c: new BSONRegExp('x') }, { $set: { b: 3 } }, { _id: 1, b: 3 }],
    [{ _id: 1, $or: [{ a: 2 }, { a: 3 }] }, { $inc: { n: 1 } }, { _id: 1, n: 1 }],
    [{ _id: 1, a: 2 }, { $set: { a: 5 } }, { _id: 1, a: 5 }],
    [{ _id: 1 }, { $setOnInsert: { a: 1, 'b.c': 2 }, $set: { d: 3 } }, { _id: 1, a: 1, b: { c: 2 }, d: 3 }],
    [{ a: 2 }, { $set: { _id: 7 } }, { _id: 7, a: 2 }],
    [{ _id: 1, a: 2 }, { b: 3 }, { _id: 1, b: 3 }],
    [{ a: 2 }, { _id: 5, b: 3 }, { _id: 5, b: 3 }],
    [{ _id: 1, a: 2 }, [{ $set: { b: '$a' } }], { _id: 1, a: 2, b: 2 }],
    [{ _id: 1, a: null }, { $unset: { b: 1 } }, { _id: 1, a: null }],
  ])('of %j with %j inserts the expected document', (filter, update, expected) => {
    expectDocument(upsert(filter, update), expected);
  });

  test('inserts a new _id as the first field if none is given', () => {
    const inserted = upsert({ a: 1 }, { $set: { b: 2 } });
    expect(Object.keys(inserted)).toEqual(['_id', 'a', 'b']);
    expect(inserted._id).toBeInstanceOf(ObjectId);
  });

  test.each<[Fields, string]>([
    [{ a: { $in: [2] } }, "an equality operator for 'a'"],
    [{ a: { $eq: 2 } }, "an equality operator for 'a'"],
    [{ 'a.b': 2 }, "an equality with the path 'a.b'"],
    [{ $and: [{ a: 2 }] }, 'an equality in $and'],
    [{ $or: [{ a: 2 }] }, 'an equality in $or'],
  ])('is rejected for the filter %j', (filter, part) => {
    expectError(
      () => upsert(filter, { $set: { b: 3 } }),
      115,
      `${part} in the filter of an upsert is not supported by this engine`,
    );
  });

  test('is rejected if the update contradicts the filter', () => {
    expectError(() => upsert({ _id: 1 }, { $set: { _id: 2 } }), 66);
    expectError(() => upsert({ _id: 1 }, { _id: 2, a: 1 }), 66);
  });

  test('ignores $setOnInsert if a document matches', () => {
    expectUpdate({ _id: 1, x: 1 }, { $setOnInsert: { a: 1, 'b.c': 1, 'x.y': 1 } }, { _id: 1, x: 1 });
  });
});
