import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { KeyCounts } from './key-counts.js';

const sum = (counts: number[]): number => counts.reduce((all, each) => all + each, 0);

test('counts are exact while the number of keys is at most twice the capacity', () => {
  const counts = new KeyCounts(4);
  for (let key = 0; key < 8; key += 1) counts.add(`k${key}`, key + 1);
  expect(counts.top(3)).toEqual([
    { key: 'k7', clicks: 8 },
    { key: 'k6', clicks: 7 },
    { key: 'k5', clicks: 6 },
  ]);
  expect(counts.other).toBe(0);
});

test('for any number of keys, the total is exact, no count is too high, and none is too low by more than total / (capacity + 1)', () => {
  const capacity = 5;
  const clicksOfKey = fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 9 }));
  // Without `size`, a part would have at most ten elements, so none of its counts would be trimmed.
  const part = fc.array(clicksOfKey, { maxLength: 300, size: 'max' });
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const truth = new Map<string, number>();
      const [all, added] = [new KeyCounts(capacity), new KeyCounts(capacity)];
      for (const clicks of parts) {
        const counts = new KeyCounts(capacity);
        for (const [key, count] of clicks) {
          counts.add(`${key}`, count);
          truth.set(`${key}`, (truth.get(`${key}`) ?? 0) + count);
          expect(counts.size).toBeLessThanOrEqual(2 * capacity);
        }
        all.merge(KeyCounts.from(counts.state(), capacity));
        added.addState(counts.state());
      }
      expect(added.state()).toEqual(all.state());
      const total = sum([...truth.values()]);
      expect(all.size).toBeLessThanOrEqual(2 * capacity);
      expect(sum(all.state().counts) + all.other).toBe(total);
      for (const [key, count] of truth) {
        expect(all.get(key)).toBeLessThanOrEqual(count);
        expect(all.get(key)).toBeGreaterThanOrEqual(count - total / (capacity + 1));
      }
    }),
  );
});

test('a million distinct referrers leave few keys, including the most frequent one', () => {
  const counts = new KeyCounts(256);
  for (let i = 0; i < 1_000_000; i += 1) {
    counts.add(`host-${i}.example.com`, 1);
    if (i % 20 === 0) counts.add('news.example.com', 1);
  }
  expect(counts.size).toBeLessThanOrEqual(512);
  const [first, second] = counts.top(2);
  expect(first!.key).toBe('other');
  expect(second!.key).toBe('news.example.com');
  expect(second!.clicks).toBeGreaterThan(50_000 - 1_050_000 / 257);
  expect(second!.clicks).toBeLessThanOrEqual(50_000);
});

test('accepts any keys', () => {
  const counts = new KeyCounts(4);
  for (const key of ['__proto__', 'constructor', 'a.b', '$set', '']) counts.add(key, 1);
  expect(
    KeyCounts.from(counts.state(), 4)
      .top(9)
      .map(({ key }) => key),
  ).toEqual(['', '$set', '__proto__', 'a.b', 'constructor']);
});

test('sorts equal counts by key; includes the rest as `other` unless `withOther` is false', () => {
  const counts = KeyCounts.from({ keys: ['b', 'a'], counts: [2, 2], other: 5 }, 4);
  expect(counts.top(9)).toEqual([
    { key: 'other', clicks: 5 },
    { key: 'a', clicks: 2 },
    { key: 'b', clicks: 2 },
  ]);
  expect(counts.top(9, false)).toEqual([
    { key: 'a', clicks: 2 },
    { key: 'b', clicks: 2 },
  ]);
  expect(KeyCounts.from({ keys: ['other'], counts: [2], other: 5 }, 4).top(9)).toEqual([{ key: 'other', clicks: 7 }]);
});

test('trimming subtracts the (capacity + 1)th highest count from all counts, and drops keys whose counts are not higher', () => {
  const counts = new KeyCounts(2);
  for (const [key, clicks] of [
    ['a', 9],
    ['b', 5],
    ['c', 3],
    ['d', 2],
    ['e', 1],
  ] as const)
    counts.add(key, clicks);
  expect(counts.state()).toEqual({ keys: ['a', 'b'], counts: [6, 2], other: 3 + 3 + 3 + 2 + 1 });
  counts.add('f', 4);
  expect(counts.state()).toEqual({ keys: ['a', 'b', 'f'], counts: [6, 2, 4], other: 12 });
});
