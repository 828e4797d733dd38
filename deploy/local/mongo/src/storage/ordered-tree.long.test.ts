import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { OrderedTree } from './ordered-tree.js';
import { DocRecord } from './record.js';

const above = '\u0100';

function walked(tree: OrderedTree, low: string, high: string, reverse: boolean): string[] {
  const walk = tree.walk(low, high, reverse);
  const found: string[] = [];
  while (walk.next()) found.push(`${walk.key}/${walk.record.rid}`);
  return found;
}

const key = fc.integer({ min: 0, max: 400 }).map((n) => n.toString().padStart(3, '0'));
const step = fc.record({ add: fc.boolean(), key, rid: fc.integer({ min: 1, max: 3 }) });

describe('OrderedTree', () => {
  test('holds what a sorted list holds, in order, after any additions and removals', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 3000, size: 'max' }), key, key, fc.boolean(), (steps, a, b, reverse) => {
        const tree = new OrderedTree();
        const records = [1, 2, 3].map((rid) => new DocRecord(rid, null, 0));
        const model = new Set<string>();
        for (const { add, key, rid } of steps) {
          if (add) tree.add(key, records[rid - 1]!);
          else tree.remove(key, records[rid - 1]!);
          if (add) model.add(`${key}/${rid}`);
          else model.delete(`${key}/${rid}`);
        }
        const [low, high] = a < b ? [a, b] : [b, a];
        const expected = [...model].filter((entry) => entry >= low && entry.slice(0, 3) < high).sort();
        expect(tree.size).toBe(model.size);
        expect(walked(tree, low, high, reverse)).toEqual(reverse ? expected.reverse() : expected);
        expect(walked(tree, '', above, false)).toEqual([...model].sort());
      }),
      { numRuns: 60 },
    );
  });

  test('loads a sorted list as if it were added entry by entry', () => {
    const record = new DocRecord(1, null, 0);
    for (const n of [0, 1, 95, 96, 97, 10_000, 20_000]) {
      const keys = Array.from({ length: n }, (_, i) => i.toString().padStart(6, '0'));
      const tree = new OrderedTree();
      tree.load(
        keys,
        keys.map(() => record),
      );
      expect(walked(tree, '', above, false).map((entry) => entry.slice(0, 6))).toEqual(keys);
      expect(walked(tree, '', above, true).map((entry) => entry.slice(0, 6))).toEqual(keys.reverse());
    }
  });

  test('a walk goes on at its place when entries around it come and go', () => {
    const record = new DocRecord(1, null, 0);
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.tuple(fc.boolean(), key), { maxLength: 400, size: 'max' }),
        (reverse, changes) => {
          const tree = new OrderedTree();
          for (let n = 0; n < 400; n += 2) tree.add(n.toString().padStart(3, '0'), record);
          const walk = tree.walk('', above, reverse);
          const seen: string[] = [];
          const stayed = new Set(Array.from({ length: 200 }, (_, i) => (2 * i).toString().padStart(3, '0')));
          for (const [add, changed] of changes) {
            if (walk.next()) seen.push(walk.key);
            if (add) tree.add(changed, record);
            else tree.remove(changed, record);
            if (!add) stayed.delete(changed);
          }
          while (walk.next()) seen.push(walk.key);
          const ordered = [...new Set(seen)].sort();
          expect(seen).toEqual(reverse ? ordered.reverse() : ordered);
          expect(seen).toEqual(expect.arrayContaining([...stayed]));
        },
      ),
      { numRuns: 60 },
    );
  });
});
