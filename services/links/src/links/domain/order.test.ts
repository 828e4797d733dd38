import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  conditionsOf,
  rangesAfter,
  sortOf,
  upToPosition,
  type Order,
  type OrderPosition,
  type Range,
} from './order.js';

type Row = { _id: string; clickCount: number; lastClickAt: Date | null };

const rows = fc.uniqueArray(
  fc.record({
    _id: fc.stringMatching(/^[a-f]{1,3}$/),
    clickCount: fc.nat(4),
    lastClickAt: fc.option(fc.nat(4).map((n) => new Date(n))),
  }),
  { selector: (row) => row._id, maxLength: 40, size: 'max' },
);
const orders = fc.record<Order>({
  key: fc.constantFrom('clickCount', 'lastClickAt'),
  direction: fc.constantFrom(1, -1),
});

/** Evaluates the conditions of a range like the database: comparisons only match values of their own type. */
function select(all: Row[], order: Order, range: Range): Row[] {
  const matches = (value: unknown, condition: unknown): boolean => {
    if (condition === null || typeof condition !== 'object' || condition instanceof Date) {
      return Number(value) === Number(condition) && (value === null) === (condition === null);
    }
    return Object.entries(condition).every(([operator, bound]) => {
      const [a, b] = [value, bound] as [never, never];
      if (value === null) return false;
      return operator === '$gt' ? a > b : operator === '$gte' ? a >= b : operator === '$lt' ? a < b : a <= b;
    });
  };
  const conditions = Object.entries(conditionsOf(order, range));
  const found = all.filter((row) =>
    conditions.every(([field, condition]) => matches(row[field as keyof Row], condition)),
  );
  return found.sort(
    (a, b) =>
      order.direction *
      (Number(a[order.key as 'clickCount']) - Number(b[order.key as 'clickCount']) || (a._id < b._id ? -1 : 1)),
  );
}

const positionOf = (order: Order, row: Row): OrderPosition => ({ value: row[order.key as 'clickCount'], id: row._id });

/** Returns all links in order, by plain comparison; null last. */
function sorted(all: Row[], { key, direction }: Order): Row[] {
  return all.toSorted((a, b) => {
    const [x, y] = [a[key as 'lastClickAt'], b[key as 'lastClickAt']];
    if ((x === null) !== (y === null)) return x === null ? 1 : -1;
    return direction * (Number(x) - Number(y) || (a._id < b._id ? -1 : 1));
  });
}

describe('an order', () => {
  test('equals the sequence of its ranges, from any position', () => {
    fc.assert(
      fc.property(rows, orders, fc.nat(39), (all, order, at) => {
        const whole = sorted(all, order);
        const yielded = (position?: OrderPosition) =>
          rangesAfter(order, position).flatMap((range) => select(all, order, range));
        expect(yielded()).toEqual(whole);
        const row = whole[at];
        if (row) expect(yielded(positionOf(order, row))).toEqual(whole.slice(at + 1));
      }),
    );
  });

  test('has ranges that can be cut off after a position, leaving exactly the links up to and including it', () => {
    fc.assert(
      fc.property(rows, orders, fc.nat(39), (all, order, n) => {
        for (const range of rangesAfter(order)) {
          const inside = select(all, order, range);
          const row = inside[n];
          if (!row) continue;
          const parts = upToPosition(order, range, positionOf(order, row));
          expect(parts.flatMap((part) => select(all, order, part))).toEqual(inside.slice(0, n + 1));
        }
      }),
    );
  });

  test('has a separate, last range for nulls, which comparisons with dates do not match', () => {
    expect(sortOf({ key: 'clickCount', direction: -1 })).toEqual({ clickCount: -1, _id: -1 });
    expect(rangesAfter({ key: 'clickCount', direction: -1 })).toEqual([{ span: {} }]);
    const order: Order = { key: 'lastClickAt', direction: 1 };
    expect(rangesAfter(order)).toEqual([{ span: { $gte: new Date(0) } }, { equal: null }]);
    const afterNull = rangesAfter(order, { value: null, id: 'a' });
    expect(afterNull).toEqual([{ equal: null, ids: { $gt: 'a' } }]);
    expect(upToPosition(order, afterNull[0]!, { value: null, id: 'c' })).toEqual([
      { equal: null, ids: { $gt: 'a', $lte: 'c' } },
    ]);
  });
});
