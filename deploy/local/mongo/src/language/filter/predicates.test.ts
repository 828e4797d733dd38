import { describe, expect, test } from '@jest/globals';
import { BSONRegExp } from 'bson';
import { doc } from '../bson.test.fixtures.js';
import { compileFilter } from '../filter.js';

type Fields = Record<string, unknown>;

const implied = (filter: Fields): [string, string, unknown][] =>
  compileFilter(doc(filter)).predicates.map(({ path, op, value }) => [path, op, value]);
const exact = (filter: Fields): boolean => compileFilter(doc(filter)).exact;

describe('the predicates implied by the filter', () => {
  test.each<[Fields, [string, string, unknown][], boolean]>([
    [{}, [], true],
    [{ a: 1 }, [['a', 'eq', 1]], true],
    [
      { a: 1, 'b.c': 'x' },
      [
        ['a', 'eq', 1],
        ['b.c', 'eq', 'x'],
      ],
      true,
    ],
    [
      { a: { $gt: 'a', $lte: 'b' } },
      [
        ['a', 'gt', 'a'],
        ['a', 'lte', 'b'],
      ],
      true,
    ],
    [{ a: { $in: [1, 2] } }, [['a', 'in', [1, 2]]], true],
    [
      { $and: [{ a: 1 }, { $and: [{ b: 2 }] }] },
      [
        ['a', 'eq', 1],
        ['b', 'eq', 2],
      ],
      true,
    ],
    [{ $or: [{ a: 1 }] }, [['a', 'eq', 1]], true],
    // Not exact: the filter must still check the documents that an index scan finds.
    [{ a: null }, [['a', 'eq', null]], false],
    [{ a: { $lt: 5 } }, [['a', 'lt', 5]], false],
    [{ a: new BSONRegExp('^ab') }, [['a', 'regexPrefix', 'ab']], false],
    [{ a: { $regex: '^ab.' } }, [['a', 'regexPrefix', 'ab']], false],
    [{ a: { $exists: true } }, [['a', 'exists', true]], false],
    [{ a: { $all: [1, 2] } }, [['a', 'eq', 1]], false],
    // No predicate is implied, except by `ws` in the last filter.
    [{ a: [1, 2] }, [], false],
    [{ a: { $gt: [1] } }, [], false],
    [{ a: { $lte: null } }, [], false],
    [{ a: { $gte: NaN } }, [], false],
    [{ a: { $ne: 1 } }, [], false],
    [{ a: { $type: 'int' } }, [], false],
    [{ $or: [{ a: 1 }, { b: 1 }] }, [], false],
    [{ a: new BSONRegExp('ab') }, [], false],
    [{ ws: 1, $or: [{ at: { $lt: 'm' } }, { at: 'm', _id: { $lt: 7 } }] }, [['ws', 'eq', 1]], false],
  ])('%j are %j (exact: %s)', (filter, predicates, isExact) => {
    expect(implied(filter)).toEqual(predicates);
    expect(exact(filter)).toBe(isExact);
  });
});
