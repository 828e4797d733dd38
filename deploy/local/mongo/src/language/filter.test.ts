import { describe, expect, test } from '@jest/globals';
import { Binary, BSONRegExp, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { doc, expectError } from './bson.test.fixtures.js';
import { compileFilter } from './filter.js';

type Fields = Record<string, unknown>;

const matches = (filter: Fields, document: Fields): boolean => compileFilter(doc(filter)).matches(doc(document));

/** The indexes of the documents that match. */
const found = (filter: Fields, documents: Fields[]): number[] => {
  const compiled = compileFilter(doc(filter));
  return documents.flatMap((document, i) => (compiled.matches(doc(document)) ? [i] : []));
};

const regex = (pattern: string, options = ''): BSONRegExp => new BSONRegExp(pattern, options);

describe('equality', () => {
  test('of numbers is by value, whatever their types', () => {
    const values = [1, new Double(1), Long.fromNumber(1), Decimal128.fromString('1.0')];
    for (const a of values) for (const b of values) expect(matches({ a }, { a: b })).toBe(true);
    expect(matches({ a: 1 }, { a: '1' })).toBe(false);
    expect(matches({ a: 1 }, { a: true })).toBe(false);
    expect(matches({ a: NaN }, { a: NaN })).toBe(true);
    expect(matches({ a: Long.fromString('9007199254740993') }, { a: 2 ** 53 })).toBe(false);
  });

  test('with null also means a missing field', () => {
    const documents = [{}, { a: null }, { a: 0 }, { a: [] }, { a: [null] }, { a: [1] }, { a: {} }];
    expect(found({ a: null }, documents)).toEqual([0, 1, 4]);
    expect(found({ a: { $ne: null } }, documents)).toEqual([2, 3, 5, 6]);
    expect(found({ a: { $in: [null, 0] } }, documents)).toEqual([0, 1, 2, 4]);
  });

  test('with null below an array asks its documents, and nothing else', () => {
    const documents = [
      { a: [] },
      { a: [1, null] },
      { a: [{ b: 1 }] },
      { a: [{ b: 1 }, {}] },
      { a: [{ b: null }] },
      { a: 4 },
      { a: null },
      { a: [[]] },
      {},
      { a: {} },
    ];
    expect(found({ 'a.b': null }, documents)).toEqual([3, 4, 5, 6, 8, 9]);
    expect(found({ 'a.b': { $exists: false } }, documents)).toEqual([0, 1, 5, 6, 7, 8, 9]);
  });

  test('with a document minds the order of its fields', () => {
    expect(matches({ a: { x: 1, y: 2 } }, { a: { x: 1, y: 2 } })).toBe(true);
    expect(matches({ a: { x: 1, y: 2 } }, { a: { y: 2, x: 1 } })).toBe(false);
    expect(matches({ a: { x: 1 } }, { a: { x: 1, y: 2 } })).toBe(false);
    expect(matches({ a: {} }, { a: {} })).toBe(true);
  });

  test('with an array means the whole array or an element that is it', () => {
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

  test('with a regular expression matches text; $eq with one only that very value', () => {
    expect(found({ a: regex('^x') }, [{ a: 'xy' }, { a: ['q', 'x'] }, { a: regex('^x') }, { a: 'y' }])).toEqual([
      0, 1, 2,
    ]);
    expect(found({ a: { $eq: regex('^x') } }, [{ a: 'xy' }, { a: regex('^x') }])).toEqual([1]);
  });

  test('with a database reference is equality, not operators', () => {
    expect(matches({ a: { $ref: 'c', $id: 1 } }, { a: { $ref: 'c', $id: 1 } })).toBe(true);
  });

  test('never sees inherited members', () => {
    expect(matches({ constructor: { $exists: true } }, {})).toBe(false);
    expect(matches({ 'a.length': 2 }, { a: 'xy' })).toBe(false);
    expect(matches({ 'a.length': 2 }, { a: [1, 2] })).toBe(false);
  });
});

describe('comparison', () => {
  test('keeps to values of the same kind', () => {
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

  test('with null holds for null and missing, when it includes equality', () => {
    const documents = [{ a: null }, {}, { a: 1 }];
    expect(found({ a: { $lte: null } }, documents)).toEqual([0, 1]);
    expect(found({ a: { $gte: null } }, documents)).toEqual([0, 1]);
    expect(found({ a: { $lt: null } }, documents)).toEqual([]);
    expect(found({ a: { $gt: null } }, documents)).toEqual([]);
  });

  test('with NaN holds only for NaN, when it includes equality', () => {
    const documents = [{ a: NaN }, { a: 1 }, { a: 'x' }];
    expect(found({ a: { $lte: NaN } }, documents)).toEqual([0]);
    expect(found({ a: { $gt: NaN } }, documents)).toEqual([]);
  });

  test('with MinKey and MaxKey reaches over all kinds', () => {
    const documents = [{ a: 1 }, { a: 'x' }, {}, { a: new MinKey() }, { a: new MaxKey() }];
    expect(found({ a: { $gt: new MinKey() } }, documents)).toEqual([0, 1, 2, 4]);
    expect(found({ a: { $lt: new MaxKey() } }, documents)).toEqual([0, 1, 2, 3]);
    expect(found({ a: { $gte: new MaxKey() } }, documents)).toEqual([4]);
    expect(found({ a: { $lte: new MinKey() } }, documents)).toEqual([3]);
  });

  test('of arrays is of the whole array', () => {
    expect(found({ a: { $gt: [1, 2] } }, [{ a: [1, 3] }, { a: [1] }, { a: [[1, 5]] }, { a: 7 }])).toEqual([0, 2]);
  });

  test('of a range may be met by two elements', () => {
    expect(matches({ a: { $gt: 5, $lt: 3 } }, { a: [1, 10] })).toBe(true);
    expect(matches({ a: { $elemMatch: { $gt: 5, $lt: 3 } } }, { a: [1, 10] })).toBe(false);
  });

  test('is exact between doubles, longs and decimals', () => {
    const large = Long.fromString('9007199254740993');
    expect(matches({ a: { $gt: 2 ** 53 } }, { a: large })).toBe(true);
    expect(matches({ a: { $lt: Decimal128.fromString('0.1') } }, { a: 0.1 })).toBe(false);
    expect(matches({ a: { $gt: Decimal128.fromString('0.1') } }, { a: 0.1 })).toBe(true);
  });
});

describe('paths', () => {
  const nested = { a: [{ b: 1, c: [{ d: 7 }] }, { b: 2 }, 5, [{ b: 9 }]], m: { 0: 'zero', n: { o: 3 } } };

  test.each([
    [{ 'a.b': 2 }, true],
    [{ 'a.b': 9 }, false],
    [{ 'a.0.b': 1 }, true],
    [{ 'a.1.b': 1 }, false],
    [{ 'a.2': 5 }, true],
    [{ 'a.02': 5 }, false],
    [{ 'a.3.b': 9 }, true],
    [{ 'a.3.0.b': 9 }, true],
    [{ 'a.c.d': 7 }, true],
    [{ 'a.0.c.0.d': 7 }, true],
    [{ 'm.0': 'zero' }, true],
    [{ 'm.n.o': 3 }, true],
    [{ 'm.n.o.p': null }, true],
  ])('%j', (filter, expected) => {
    expect(matches(filter, nested)).toBe(expected);
  });

  test('ending in a number mean the element, not what is in it', () => {
    expect(matches({ 'a.0': 5 }, { a: [[5, 6]] })).toBe(false);
    expect(matches({ 'a.0': [5, 6] }, { a: [[5, 6]] })).toBe(true);
    expect(matches({ 'a.0': 4 }, { a: [{ 0: 4 }] })).toBe(true);
  });
});

describe('operators', () => {
  test('$in and $nin take values, regular expressions and arrays', () => {
    const documents = [{ a: 1 }, { a: 'abc' }, { a: [2, 3] }, { a: [[4]] }, {}, { a: new Double(1) }];
    expect(found({ a: { $in: [1, regex('^ab')] } }, documents)).toEqual([0, 1, 5]);
    expect(found({ a: { $in: [3, [4]] } }, documents)).toEqual([2, 3]);
    expect(found({ a: { $nin: [1, 3] } }, documents)).toEqual([1, 3, 4]);
    expect(found({ a: { $in: [] } }, documents)).toEqual([]);
    const many = [...Array(20).keys()].map((n) => n + 100);
    expect(found({ a: { $in: [...many, new Double(1), 3] } }, documents)).toEqual([0, 2, 5]);
    expect(found({ a: { $in: [...many, null, regex('b'), [4]] } }, documents)).toEqual([1, 3, 4]);
    expect(found({ a: { $nin: [...many, 'abc', 1] } }, documents)).toEqual([2, 3, 4]);
    expect(found({ a: { $nin: [] } }, documents)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('$exists', () => {
    const documents = [{ a: null }, {}, { a: [] }];
    expect(found({ a: { $exists: true } }, documents)).toEqual([0, 2]);
    expect(found({ a: { $exists: 0 } }, documents)).toEqual([1]);
  });

  test('$type looks at elements and at the array itself', () => {
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
    expect(found({ a: { $type: 'number' } }, documents)).toEqual([0, 1, 6]);
    expect(found({ a: { $type: [2, 'null'] } }, documents)).toEqual([2, 5]);
    expect(found({ a: { $type: 'array' } }, documents)).toEqual([2, 3]);
    expect(found({ a: { $type: 18 } }, documents)).toEqual([6]);
  });

  test('$size counts the elements of the array itself', () => {
    expect(found({ a: { $size: 2 } }, [{ a: [1, 2] }, { a: [[1, 2]] }, { a: 'xy' }, { a: [] }])).toEqual([0]);
    expect(found({ a: { $size: Long.fromNumber(0) } }, [{ a: [] }, {}])).toEqual([0]);
  });

  test('$all', () => {
    const documents = [{ a: [1, 2, 3] }, { a: [1] }, { a: 1 }, { a: [[1, 2]] }, { a: [] }];
    expect(found({ a: { $all: [1, 2] } }, documents)).toEqual([0]);
    expect(found({ a: { $all: [1] } }, documents)).toEqual([0, 1, 2]);
    expect(found({ a: { $all: [[1, 2]] } }, documents)).toEqual([3]);
    expect(found({ a: { $all: [] } }, documents)).toEqual([]);
    expect(
      matches({ a: { $all: [{ $elemMatch: { x: 1 } }, { $elemMatch: { x: 2 } }] } }, { a: [{ x: 1 }, { x: 2 }] }),
    ).toBe(true);
  });

  test('$elemMatch asks one element for all conditions', () => {
    const documents = [{ a: [{ x: 1, y: 2 }] }, { a: [{ x: 1 }, { y: 2 }] }, { a: { x: 1, y: 2 } }, { a: [] }];
    expect(found({ a: { $elemMatch: { x: 1, y: 2 } } }, documents)).toEqual([0]);
    expect(found({ a: { $elemMatch: { $or: [{ x: 1 }, { y: 9 }] } } }, documents)).toEqual([0, 1]);
    expect(found({ a: { $elemMatch: { $gte: 2, $lt: 4 } } }, [{ a: [1, 5] }, { a: [3] }, { a: 3 }])).toEqual([1]);
    expect(found({ a: { $elemMatch: { $nin: [1, 2] } } }, [{ a: [1, 2] }, { a: [1, 3] }])).toEqual([1]);
    expect(found({ a: { $elemMatch: { 0: 7 } } }, [{ a: [[7]] }, { a: [7] }])).toEqual([0]);
    expect(found({ 'a.b': { $elemMatch: { $gt: 1 } } }, [{ a: [{ b: [2] }] }, { a: [{ b: 2 }] }])).toEqual([0]);
  });

  test('$not and $nor', () => {
    const documents = [{ a: 5 }, { a: 1 }, {}, { a: 'x' }, { a: [1, 9] }];
    expect(found({ a: { $not: { $gt: 3 } } }, documents)).toEqual([1, 2, 3]);
    expect(found({ a: { $not: regex('x') } }, documents)).toEqual([0, 1, 2, 4]);
    expect(found({ $nor: [{ a: 5 }, { a: { $exists: false } }] }, documents)).toEqual([1, 3, 4]);
  });

  test('$mod truncates to integers', () => {
    const documents = [{ a: 4 }, { a: 5 }, { a: 4.9 }, { a: -4 }, { a: 'x' }, { a: Long.fromNumber(8) }, { a: NaN }];
    expect(found({ a: { $mod: [4, 0] } }, documents)).toEqual([0, 2, 3, 5]);
    expect(found({ a: { $mod: [4.7, 1.2] } }, documents)).toEqual([1]);
    expect(found({ a: { $mod: [3, -1] } }, documents)).toEqual([3]);
  });

  test('bit operators take masks, positions and binary data', () => {
    const documents = [{ a: 54 }, { a: 0 }, { a: -1 }, { a: new Binary(Buffer.from([54])) }, { a: 54.5 }];
    expect(found({ a: { $bitsAllSet: 50 } }, documents)).toEqual([0, 2, 3]);
    expect(found({ a: { $bitsAllSet: [1, 5] } }, documents)).toEqual([0, 2, 3]);
    expect(found({ a: { $bitsAllClear: [0, 3] } }, documents)).toEqual([0, 1, 3]);
    expect(found({ a: { $bitsAnySet: new Binary(Buffer.from([0x30])) } }, documents)).toEqual([0, 2, 3]);
    expect(found({ a: { $bitsAnyClear: [1, 200] } }, documents)).toEqual([0, 1, 3]);
  });

  test('$and, $or, $comment, and nothing at all', () => {
    const documents = [{ a: 1, b: 1 }, { a: 1 }, { b: 1 }];
    expect(found({ $and: [{ a: 1 }, { b: 1 }] }, documents)).toEqual([0]);
    expect(found({ $or: [{ b: 1 }, { a: 2 }], $comment: 'why' }, documents)).toEqual([0, 2]);
    expect(found({}, documents)).toEqual([0, 1, 2]);
  });

  test('$expr compares fields, with the variables of the command', () => {
    expect(found({ $expr: { $gt: ['$a', '$b'] } }, [{ a: 2, b: 1 }, { a: 1, b: 2 }, { a: 1 }])).toEqual([0, 2]);
    const filter = compileFilter(doc({ $expr: { $eq: ['$a', '$$x'] } }), { let: doc({ x: 5 }) });
    expect(filter.matches(doc({ a: 5 }))).toBe(true);
  });
});

describe('the matched position', () => {
  const position = (filter: Fields, document: Fields): string | undefined =>
    compileFilter(doc(filter)).position(doc(document));

  test('is that of the element in the outermost array', () => {
    expect(position({ a: 5 }, { a: [4, 5] })).toBe('1');
    expect(position({ a: { $gt: 4 }, b: 1 }, { a: [1, 2, 6], b: 1 })).toBe('2');
    expect(position({ 'a.b': 2 }, { a: [{ b: 1 }, { b: [3, 2] }] })).toBe('1');
    expect(position({ a: { $elemMatch: { x: 2, y: 3 } } }, { a: [{ x: 2 }, { x: 2, y: 3 }] })).toBe('1');
    expect(position({ a: [1, 2] }, { a: [1, 2] })).toBeUndefined();
    expect(position({ b: 1 }, { a: [1], b: 1 })).toBeUndefined();
  });
});

describe('bad filters', () => {
  test.each<[Fields, number, string?]>([
    [{ $foo: 1 }, 2, 'unknown top level operator: $foo'],
    [{ a: { $foo: 1 } }, 2, 'unknown operator: $foo'],
    [{ a: { $gt: 1, b: 2 } }, 2, 'unknown operator: b'],
    [{ $and: 1 }, 2, '$and must be an array'],
    [{ $or: [] }, 2, 'nonempty array'],
    [{ $nor: [1] }, 2, 'full objects'],
    [{ a: { $in: 1 } }, 2, '$in needs an array'],
    [{ a: { $in: [{ $gt: 1 }] } }, 2, 'cannot nest $ under $in'],
    [{ a: { $gt: regex('x') } }, 2, "Can't have RegEx"],
    [{ a: { $ne: regex('x') } }, 2, "Can't have regex"],
    [{ a: { $not: 5 } }, 2, '$not needs a regex or a document'],
    [{ a: { $not: {} } }, 2, '$not cannot be empty'],
    [{ a: { $size: -1 } }, 9],
    [{ a: { $size: 'x' } }, 9],
    [{ a: { $type: 'nothing' } }, 2, 'Unknown type name alias: nothing'],
    [{ a: { $type: 99 } }, 2, 'Invalid numerical type code: 99'],
    [{ a: { $mod: [1] } }, 2, 'not enough elements'],
    [{ a: { $mod: [0, 1] } }, 2, 'divisor cannot be 0'],
    [{ a: { $elemMatch: 1 } }, 2, '$elemMatch needs an Object'],
    [{ a: { $all: 1 } }, 2, '$all needs an array'],
    [{ a: { $options: 'i' } }, 2, '$options needs a $regex'],
    [{ a: { $regex: '(' } }, 51091],
    [{ a: { $regex: 'x', $options: 'q' } }, 51108],
    [{ a: { $bitsAllSet: -1 } }, 9],
    [{ $expr: { $nope: 1 } }, 168, "Unrecognized expression '$nope'"],
    [{ $expr: '$$x' }, 17276],
    [{ a: { $elemMatch: { $expr: 1 } } }, 2],
  ])('%j is error %d', (filter, code, message = '') => {
    expectError(() => compileFilter(doc(filter)), code, message);
  });

  test.each<[Fields]>([
    [{ $where: 'true' }],
    [{ $text: { $search: 'x' } }],
    [{ $jsonSchema: {} }],
    [{ a: { $near: [1, 2] } }],
    [{ a: { $geoWithin: {} } }],
  ])('%j is refused by name', (filter) => {
    expectError(() => compileFilter(doc(filter)), 115, 'not supported');
  });
});

test('a timestamp compares unsigned', () => {
  expect(matches({ a: { $gt: new Timestamp({ t: 1, i: 0 }) } }, { a: new Timestamp({ t: 0xfffffff0, i: 0 }) })).toBe(
    true,
  );
});
