import { describe, expect, test } from '@jest/globals';
import { Binary, Double, Long, ObjectId } from 'bson';
import fc from 'fast-check';
import { compareValues, equalValues, identicalValues } from './compare.js';
import { encodeKey } from './key.js';
import { value } from './bson.test.fixtures.js';

const id = (digit: string): ObjectId => new ObjectId(digit.repeat(24));

/** Values in the ascending order of MongoDB. The values of one row are equal. */
const ORDER: unknown[][] = [
  [undefined],
  [null],
  [NaN],
  [-Infinity],
  [-1e300],
  [Long.fromString('-9223372036854775808'), -(2 ** 63)],
  [Long.fromString('-9007199254740993')],
  [Long.fromString('-9007199254740992'), -(2 ** 53)],
  [-1.5],
  [-1, new Double(-1), Long.fromNumber(-1)],
  [0, new Double(0), new Double(-0), Long.fromNumber(0)],
  [5e-324],
  [0.1],
  [1, new Double(1), Long.fromNumber(1)],
  [1.5],
  [2],
  [10],
  [2 ** 53, Long.fromString('9007199254740992')],
  [Long.fromString('9007199254740993')],
  [2 ** 53 + 2],
  [2 ** 62],
  [Long.fromString('4611686018427387905')],
  [Long.fromString('9223372036854775807')],
  [2 ** 63],
  [1e300],
  [Infinity],
  [''],
  ['\0'],
  ['\0a'],
  ['A'],
  ['a'],
  ['a\0'],
  ['a\0b'],
  ['a\u0001'],
  ['aa'],
  ['b'],
  ['é'],
  ['\uffee'],
  ['😀'],
  [{}],
  [{ a: null }],
  [{ a: 1 }, { a: new Double(1) }],
  [{ a: 1, b: 1 }],
  [{ a: 2 }],
  [{ b: 1 }],
  [{ a: 'x' }],
  [{ a: {} }],
  [[]],
  [[null]],
  [[1]],
  [[1, 2]],
  [[2]],
  [['a']],
  [[[]]],
  [new Binary(Buffer.from([]))],
  [new Binary(Buffer.from([9]))],
  [new Binary(Buffer.from([1]), 4)],
  [new Binary(Buffer.from([1, 1]))],
  [id('1')],
  [id('f')],
  [false],
  [true],
  [new Date(-1)],
  [new Date(0)],
  [new Date(1)],
];

const toEngineForm = (each: unknown): unknown => (each === undefined ? undefined : value(each));
const rows = ORDER.map((row) => row.map(toEngineForm));
const flat = rows.flatMap((row, rank) => row.map((each) => ({ value: each, rank })));

describe('the order', () => {
  test('of every pair of values is that of MongoDB, in compareValues and in keys', () => {
    const wrong: unknown[] = [];
    for (const a of flat) {
      for (const b of flat) {
        const expected = Math.sign(a.rank - b.rank);
        const [x, y] = [encodeKey([a.value]), encodeKey([b.value])];
        const byKey = x < y ? -1 : x > y ? 1 : 0;
        if (Math.sign(compareValues(a.value, b.value)) !== expected || byKey !== expected) wrong.push([a, b, byKey]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('is reversed in a descending key, and equal first values of a compound key are ordered by the second value', () => {
    const wrong: unknown[] = [];
    for (const a of flat) {
      for (const b of flat) {
        const x = encodeKey([a.value, 1], [-1, 1]);
        const y = encodeKey([b.value, 2], [-1, 1]);
        const expected = Math.sign(b.rank - a.rank) || -1;
        if ((x < y ? -1 : 1) !== expected) wrong.push([a, b]);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('of strings is the order of their UTF-8 bytes', () => {
    const text = fc.string({ unit: 'binary' }).filter((each) => each.isWellFormed());
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(compareValues(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
  });

  test('of random numbers agrees with the order of their keys', () => {
    const number = fc.oneof(fc.double(), fc.integer(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [x, y] = [encodeKey([a]), encodeKey([b])];
        expect(x < y ? -1 : x > y ? 1 : 0).toBe(Math.sign(compareValues(a, b)));
      }),
    );
  });
});

describe('equality', () => {
  test('compares numbers by value and documents by their fields in order', () => {
    expect(equalValues(value({ a: [1, Long.fromNumber(2)] }), value({ a: [new Double(1), 2] }))).toBe(true);
    expect(equalValues(value({ a: 1, b: 2 }), value({ b: 2, a: 1 }))).toBe(false);
  });

  test('with identicalValues also compares types', () => {
    expect(identicalValues(value(1), value(new Double(1)))).toBe(false);
    expect(identicalValues(value({ a: [new Date(1), id('a')] }), value({ a: [new Date(1), id('a')] }))).toBe(true);
    expect(identicalValues(value({ a: 1, b: 2 }), value({ b: 2, a: 1 }))).toBe(false);
    expect(identicalValues(value(0), value(new Double(-0)))).toBe(false);
  });
});
