import { describe, expect, test } from '@jest/globals';
import { Binary, BSONRegExp, Double, Long, ObjectId } from 'bson';
import { doc, expectError } from './bson.test.fixtures.js';
import { compileFilter } from './filter.js';

type Fields = Record<string, unknown>;

const matches = (filter: Fields, document: Fields): boolean => compileFilter(doc(filter)).matches(doc(document));

/** Returns the indexes of the matching documents. */
const found = (filter: Fields, documents: Fields[]): number[] => {
  const compiled = compileFilter(doc(filter));
  return documents.flatMap((document, i) => (compiled.matches(doc(document)) ? [i] : []));
};

const regex = (pattern: string, options = ''): BSONRegExp => new BSONRegExp(pattern, options);

describe('equality', () => {
  test('of numbers is by value, regardless of their types', () => {
    const values = [1, new Double(1), Long.fromNumber(1)];
    for (const a of values) for (const b of values) expect(matches({ a }, { a: b })).toBe(true);
    expect(matches({ a: 1 }, { a: '1' })).toBe(false);
    expect(matches({ a: 1 }, { a: true })).toBe(false);
    expect(matches({ a: NaN }, { a: NaN })).toBe(true);
    expect(matches({ a: Long.fromString('9007199254740993') }, { a: 2 ** 53 })).toBe(false);
  });

  test('with null includes missing fields', () => {
    const documents = [{}, { a: null }, { a: 0 }, { a: [] }, { a: [null] }, { a: [1] }, { a: {} }];
    expect(found({ a: null }, documents)).toEqual([0, 1, 4]);
    expect(found({ a: { $ne: null } }, documents)).toEqual([2, 3, 5, 6]);
    expect(found({ a: { $in: [null, 0] } }, documents)).toEqual([0, 1, 2, 4]);
  });

  test('with a document depends on the order of its fields', () => {
    expect(matches({ a: { x: 1, y: 2 } }, { a: { x: 1, y: 2 } })).toBe(true);
    expect(matches({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } })).toBe(false);
    expect(matches({ a: { x: 1 } }, { a: { x: 1, y: 2 } })).toBe(false);
    expect(matches({ a: {} }, { a: {} })).toBe(true);
  });

  test('with an array matches the whole array or an equal element', () => {
    expect(found({ a: [1, 2] }, [{ a: [1, 2] }, { a: [2, 1] }, { a: [[1, 2], 3] }, { a: 1 }])).toEqual([0, 2]);
    expect(found({ a: 1 }, [{ a: [1, 2] }, { a: [[1]] }, { a: 1 }])).toEqual([0, 2]);
  });

  test('compares dates, ids and binary data by their content', () => {
    const id = 'a'.repeat(24);
    expect(matches({ a: new ObjectId(id) }, { a: new ObjectId(id) })).toBe(true);
    expect(matches({ a: new ObjectId(id) }, { a: id })).toBe(false);
    expect(matches({ a: new Date(5) }, { a: new Date(5) })).toBe(true);
    expect(matches({ a: new Binary(Buffer.from('x')) }, { a: new Binary(Buffer.from('x')) })).toBe(true);
    expect(matches({ a: new Binary(Buffer.from('x'), 5) }, { a: new Binary(Buffer.from('x')) })).toBe(false);
  });

  test('with a regular expression matches strings', () => {
    expect(found({ a: regex('^x') }, [{ a: 'xy' }, { a: ['q', 'x'] }, { a: 5 }, { a: 'y' }])).toEqual([0, 1]);
  });

  test('with a database reference compares it as a document, not as operators', () => {
    expect(matches({ a: { $ref: 'c', $id: 1 } }, { a: { $ref: 'c', $id: 1 } })).toBe(true);
  });

  test('ignores inherited members', () => {
    expect(matches({ constructor: { $exists: true } }, {})).toBe(false);
    expect(matches({ 'a.length': 2 }, { a: 'xy' })).toBe(false);
  });
});

describe('comparison', () => {
  test('compares only values of the same type', () => {
    const documents = [
      { a: 5 },
      { a: '5' },
      { a: null },
      {},
      { a: new Date(5) },
      { a: true },
      { a: [1, 9] },
      { a: NaN },
      { a: Long.fromNumber(7) },
    ];
    expect(found({ a: { $gt: 4 } }, documents)).toEqual([0, 6, 8]);
    expect(found({ a: { $lt: 6 } }, documents)).toEqual([0, 6]);
    expect(found({ a: { $gte: '' } }, documents)).toEqual([1]);
    expect(found({ a: { $lt: new Date(6) } }, documents)).toEqual([4]);
    expect(found({ a: { $gte: false } }, documents)).toEqual([5]);
  });

  test('with null matches null and missing fields if it includes equality', () => {
    const documents = [{ a: null }, {}, { a: 1 }];
    expect(found({ a: { $lte: null } }, documents)).toEqual([0, 1]);
    expect(found({ a: { $gte: null } }, documents)).toEqual([0, 1]);
    expect(found({ a: { $lt: null } }, documents)).toEqual([]);
    expect(found({ a: { $gt: null } }, documents)).toEqual([]);
  });

  test('with NaN matches only NaN, if it includes equality', () => {
    const documents = [{ a: NaN }, { a: 1 }, { a: 'x' }];
    expect(found({ a: { $lte: NaN } }, documents)).toEqual([0]);
    expect(found({ a: { $gt: NaN } }, documents)).toEqual([]);
  });

  test('of arrays compares the whole array', () => {
    expect(found({ a: { $gt: [1, 2] } }, [{ a: [1, 3] }, { a: [1] }, { a: [[1, 5]] }, { a: 7 }])).toEqual([0, 2]);
  });

  test('with a range matches an array if each bound is met by some element', () => {
    expect(matches({ a: { $gt: 5, $lt: 3 } }, { a: [1, 10] })).toBe(true);
  });

  test('is exact between doubles and longs', () => {
    const large = Long.fromString('9007199254740993');
    expect(matches({ a: { $gt: 2 ** 53 } }, { a: large })).toBe(true);
    expect(matches({ a: { $lt: large } }, { a: 2 ** 53 })).toBe(true);
  });
});

describe('paths', () => {
  test.each<[Fields, boolean]>([
    [{ 'm.0': 'zero' }, true],
    [{ 'm.n.o': 3 }, true],
    [{ 'm.n.list': 2 }, true],
    [{ 'm.n.o.p': null }, true],
    [{ 'x.y': null }, true],
    [{ 'x.y': { $exists: true } }, false],
  ])('%j matches a nested document: %j', (filter, expected) => {
    expect(matches(filter, { m: { 0: 'zero', n: { o: 3, list: [1, 2] } } })).toBe(expected);
  });

  test('throw an error for an array before the last field', () => {
    const message = "an array before the end of the path 'a.b'";
    expectError(() => matches({ 'a.b': 1 }, { a: [{ b: 1 }] }), 115, message);
  });
});

describe('operators', () => {
  test('$in and $nin compare with values, elements of arrays and whole arrays', () => {
    const documents = [{ a: 1 }, { a: 'abc' }, { a: [2, 3] }, { a: [[4]] }, {}, { a: new Double(1) }];
    expect(found({ a: { $in: [3, [4]] } }, documents)).toEqual([2, 3]);
    expect(found({ a: { $nin: [1, 3] } }, documents)).toEqual([1, 3, 4]);
    expect(found({ a: { $in: [] } }, documents)).toEqual([]);
    // With more than eight values, the operators use a set instead of comparing value by value.
    const many = [...Array(20).keys()].map((n) => n + 100);
    expect(found({ a: { $in: [...many, new Double(1), 3] } }, documents)).toEqual([0, 2, 5]);
    expect(found({ a: { $in: [...many, null, 'abc', [4]] } }, documents)).toEqual([1, 3, 4]);
    expect(found({ a: { $nin: [...many, 'abc', 1] } }, documents)).toEqual([2, 3, 4]);
    expect(found({ a: { $nin: [] } }, documents)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('$exists tests whether a field is present, even if it is null', () => {
    const documents = [{ a: null }, {}, { a: [] }];
    expect(found({ a: { $exists: true } }, documents)).toEqual([0, 2]);
    expect(found({ a: { $exists: 0 } }, documents)).toEqual([1]);
  });

  test('$type tests elements and the array itself', () => {
    const documents = [
      { a: 1 },
      { a: new Double(1) },
      { a: ['x'] },
      { a: [] },
      {},
      { a: null },
      { a: Long.fromNumber(1) },
    ];
    expect(found({ a: { $type: 'int' } }, documents)).toEqual([0]);
    expect(found({ a: { $type: 'null' } }, documents)).toEqual([5]);
    expect(found({ a: { $type: 'string' } }, documents)).toEqual([2]);
    expect(found({ a: { $type: 'array' } }, documents)).toEqual([2, 3]);
    expect(found({ a: { $type: 'long' } }, documents)).toEqual([6]);
  });

  test('$all matches arrays that contain all values, and a value that equals all of them', () => {
    const documents = [{ a: [1, 2, 3] }, { a: [1] }, { a: 1 }, { a: [[1, 2]] }, { a: [] }];
    expect(found({ a: { $all: [1, 2] } }, documents)).toEqual([0]);
    expect(found({ a: { $all: [1] } }, documents)).toEqual([0, 1, 2]);
    expect(found({ a: { $all: [[1, 2]] } }, documents)).toEqual([3]);
    expect(found({ a: { $all: [] } }, documents)).toEqual([]);
  });

  test('$and and $or combine filters, and an empty filter matches every document', () => {
    const documents = [{ a: 1, b: 1 }, { a: 1 }, { b: 1 }];
    expect(found({ $and: [{ a: 1 }, { b: 1 }] }, documents)).toEqual([0]);
    expect(found({ $or: [{ b: 1 }, { a: 2 }] }, documents)).toEqual([0, 2]);
    expect(found({}, documents)).toEqual([0, 1, 2]);
  });
});

describe('invalid filters', () => {
  test.each<[Fields, number, string?]>([
    [{ $and: 1 }, 2, '$and must be an array'],
    [{ $or: [] }, 2, 'nonempty array'],
    [{ $or: [1] }, 2, 'full objects'],
    [{ a: { $in: 1 } }, 2, '$in needs an array'],
    [{ a: { $all: 1 } }, 2, '$all needs an array'],
    [{ a: { $options: 'i' } }, 2, '$options needs a $regex'],
    [{ a: { $regex: 5 } }, 2, '$regex has to be a string'],
    [{ a: { $regex: '(' } }, 51091],
  ])('%j throws error %d', (filter, code, message = '') => {
    expectError(() => compileFilter(doc(filter)), code, message);
  });

  test.each<[Fields, string]>([
    [{ $foo: 1 }, 'the query operator $foo'],
    [{ $where: 'true' }, 'the query operator $where'],
    [{ $nor: [{ a: 1 }] }, 'the query operator $nor'],
    [{ a: { $foo: 1 } }, 'the query operator $foo'],
    [{ a: { $gt: 1, b: 2 } }, 'the query operator b'],
    [{ a: { $not: { $gt: 1 } } }, 'the query operator $not'],
    [{ a: { $elemMatch: { b: 1 } } }, 'the query operator $elemMatch'],
    [{ $or: [{ a: { $size: 1 } }] }, 'the query operator $size'],
    [{ a: { $in: [{ $gt: 1 }] } }, 'an operator within $in'],
    [{ a: { $in: [regex('x')] } }, "a regular expression as the operand of $in on 'a'"],
    [{ a: { $gt: regex('x') } }, "a regular expression as the operand of $gt on 'a'"],
    [{ a: { $type: 2 } }, '$type other than an alias'],
    [{ a: { $type: 'number' } }, "the type alias 'number'"],
    [{ a: { $regex: 'x', $options: 'm' } }, "the regular expression option 'm'"],
    [{ $expr: { $eq: ['$a', 1] } }, 'the query operator $expr'],
  ])('%j throws an error that names the unsupported part', (filter, part) => {
    expectError(() => compileFilter(doc(filter)), 115, `${part} is not supported by this engine`);
  });
});
