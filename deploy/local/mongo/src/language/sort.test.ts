import { describe, expect, test } from '@jest/globals';
import { doc, docs, expectError } from './bson.test.fixtures.js';
import { compileSort, keysAt } from './sort.js';

type Fields = Record<string, unknown>;

const order = (spec: Fields, documents: Fields[]): unknown[] =>
  docs(...documents.map((each, i) => ({ ...each, _id: i })))
    .sort(compileSort(doc(spec)))
    .map(({ _id }) => _id);

describe('a sort', () => {
  test('orders kinds of values, a missing field as null', () => {
    const documents = [{ a: 'x' }, { a: 2 }, {}, { a: null }, { a: new Date(0) }, { a: [] }, { a: 1.5 }, { a: true }];
    expect(order({ a: 1 }, documents)).toEqual([5, 2, 3, 6, 1, 0, 7, 4]);
    expect(order({ a: -1 }, documents)).toEqual([4, 7, 0, 1, 6, 2, 3, 5]);
  });

  test('by several fields, stably', () => {
    expect(
      order({ a: 1, b: -1 }, [
        { a: 2, b: 1 },
        { a: 1, b: 1 },
        { a: 1, b: 2 },
        { a: 1, b: 1 },
      ]),
    ).toEqual([2, 1, 3, 0]);
  });

  test('takes the least element of an array, or the greatest when descending', () => {
    const documents = [{ a: [5, 1] }, { a: 3 }, { a: [] }, { a: [2, 9] }];
    expect(order({ a: 1 }, documents)).toEqual([2, 0, 3, 1]);
    expect(order({ a: -1 }, documents)).toEqual([3, 0, 1, 2]);
  });

  test('reaches into documents of arrays', () => {
    const documents = [
      { a: [{ b: 4 }, { b: 2 }] },
      { a: { b: 3 } },
      { a: [{}] },
      { a: [] },
      { a: [{ b: 1 }, { b: 9 }] },
    ];
    expect(order({ 'a.b': 1 }, documents)).toEqual([2, 3, 4, 0, 1]);
    expect(order({ 'a.b': -1 }, documents)).toEqual([4, 0, 1, 2, 3]);
    expect(order({ 'a.1.b': 1 }, documents)).toEqual([1, 2, 3, 0, 4]);
  });

  test('compares documents one by one as well', () => {
    const compare = compileSort(doc({ a: -1, b: 1 }));
    expect(compare(doc({ a: 1 }), doc({ a: 2 }))).toBeGreaterThan(0);
    expect(compare(doc({ a: 1, b: 1 }), doc({ a: 1, b: 2 }))).toBeLessThan(0);
    expect(compare(doc({}), doc({ a: null }))).toBe(0);
  });

  test.each<[Fields, number]>([
    [{ a: 2 }, 15975],
    [{ a: 'x' }, 2],
    [{ a: { $meta: 'textScore' } }, 115],
    [{ $a: 1 }, 16410],
    [{ 'a.': 1 }, 15998],
  ])('%j is error %d', (spec, code) => {
    expectError(() => compileSort(doc(spec)), code);
  });
});

test('the keys of a path are those of an index on it', () => {
  const keys = (document: Fields, path: string): unknown[] => keysAt(doc(document), path.split('.'), 0);
  expect(keys({ a: [1, 2] }, 'a')).toEqual([1, 2]);
  expect(keys({ a: [] }, 'a')).toEqual([undefined]);
  expect(keys({}, 'a.b')).toEqual([null]);
  expect(keys({ a: [{ b: 1 }, {}, 5] }, 'a.b')).toEqual([1, null, null]);
  expect(keys({ a: [{ b: [1, 2] }] }, 'a.b')).toEqual([1, 2]);
  expect(keys({ a: [[1, 2]] }, 'a')).toEqual([[1, 2]]);
});
