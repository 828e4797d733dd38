import { describe, expect, test } from '@jest/globals';
import { doc, docs, expectError } from './bson.test.fixtures.js';
import { compileSort } from './sort.js';

type Fields = Record<string, unknown>;

const order = (spec: Fields, documents: Fields[]): unknown[] =>
  docs(...documents.map((each, i) => ({ ...each, _id: i })))
    .sort(compileSort(doc(spec)))
    .map(({ _id }) => _id);

describe('a sort', () => {
  test('orders values by type and sorts a missing field as null', () => {
    const documents = [{ a: 'x' }, { a: 2 }, {}, { a: null }, { a: new Date(0) }, { a: 1.5 }, { a: true }];
    expect(order({ a: 1 }, documents)).toEqual([2, 3, 5, 1, 0, 6, 4]);
    expect(order({ a: -1 }, documents)).toEqual([4, 6, 0, 1, 5, 2, 3]);
  });

  test('by several fields is stable', () => {
    expect(
      order({ a: 1, b: -1 }, [
        { a: 2, b: 1 },
        { a: 1, b: 1 },
        { a: 1, b: 2 },
        { a: 1, b: 1 },
      ]),
    ).toEqual([2, 1, 3, 0]);
  });

  test('compiles to a comparator of documents', () => {
    const compare = compileSort(doc({ a: -1, b: 1 }));
    expect(compare(doc({ a: 1 }), doc({ a: 2 }))).toBeGreaterThan(0);
    expect(compare(doc({ a: 1, b: 1 }), doc({ a: 1, b: 2 }))).toBeLessThan(0);
    expect(compare(doc({}), doc({ a: null }))).toBe(0);
  });

  test.each<[Fields, number]>([
    [{ a: 2 }, 15975],
    [{ a: 'x' }, 15975],
    [{ a: { $meta: 'textScore' } }, 115],
    [{ $a: 1 }, 115],
    [{ 'a.': 1 }, 2],
  ])('%j is rejected with error %d', (spec, code) => {
    expectError(() => compileSort(doc(spec)), code);
  });

  test('refuses arrays', () => {
    expectError(() => order({ a: 1 }, [{ a: [5, 1] }, { a: 3 }]), 115, "a sort by the array 'a'");
    expectError(() => order({ 'a.b': 1 }, [{ a: [] }, { a: 3 }]), 115, "an array before the end of the path 'a.b'");
  });
});
