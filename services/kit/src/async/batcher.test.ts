import { expect, test } from '@jest/globals';
import { Batcher } from './batcher.js';

function batching(most: number, failOn?: number) {
  const groups: number[][] = [];
  let running = 0;
  const seen = { most: 0 };
  const apply = async (items: number[]) => {
    groups.push(items);
    seen.most = Math.max(seen.most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    if (failOn !== undefined && items.includes(failOn)) throw new Error('no');
    return items.map((item) => item * 10);
  };
  return { groups, seen, batcher: new Batcher({ apply, most, atOnce: 2, lingerMs: 2 }) };
}

test('what comes together is done together, in order, up to the most, so many groups at once', async () => {
  const { groups, seen, batcher } = batching(3);
  const results = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.run(item)));
  expect(results).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(groups).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  expect(seen.most).toBe(2);
});

test('a group that fails fails for all of it, and for nobody else', async () => {
  const { batcher } = batching(2, 3);
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batcher.run(item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(await batcher.run(6)).toBe(60);
});

test('where items have weights, a go holds up to the most of it, or one that is heavier', async () => {
  const groups: number[][] = [];
  const apply = async (items: number[]) => {
    groups.push(items);
    return items;
  };
  const heavy = new Batcher({ apply, weigh: (item: number) => item, most: 10, atOnce: 2, lingerMs: 5 });
  await Promise.all([4, 4, 2, 9, 30, 1, 1].map((item) => heavy.run(item)));
  expect(groups).toEqual([[4, 4, 2], [9], [30], [1, 1]]);
});

test('a failure that may be one item’s own is tried one by one, any other fails all, once', async () => {
  const away = new Error('away');
  const groups: number[][] = [];
  const outage: { error?: Error } = {};
  const apply = async (items: number[]) => {
    groups.push(items);
    const error = outage.error ?? (items.includes(3) ? new Error('three') : undefined);
    if (error) throw error;
    return items;
  };
  const some = new Batcher({ apply, isOnesOwn: (error) => error !== away, most: 10, atOnce: 1, lingerMs: 5 });
  const settle = async (items: number[]) =>
    (await Promise.allSettled(items.map((item) => some.run(item)))).map(({ status }) => status === 'fulfilled');
  expect(await settle([1, 2, 3, 4])).toEqual([true, true, false, true]);
  outage.error = away;
  expect(await settle([1, 2])).toEqual([false, false]);
  expect(groups).toEqual([[1, 2, 3, 4], [1], [2], [3], [4], [1, 2]]);
});

test('batches that are not full start at a minimum interval', async () => {
  const batches: { items: number[]; at: number }[] = [];
  const apply = async (items: number[]) => {
    batches.push({ items, at: performance.now() });
    return items;
  };
  const spaced = new Batcher({ apply, most: 3, atOnce: 1, lingerMs: 0, everyMs: 100 });
  await spaced.run(1);
  await Promise.all([spaced.run(2), spaced.run(3)]);
  await Promise.all([4, 5, 6].map((item) => spaced.run(item)));
  expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3], [4, 5, 6]]);
  const [first, second, full] = batches.map(({ at }) => at) as [number, number, number];
  // A timer of Node.js may fire up to a millisecond early.
  expect(second - first).toBeGreaterThanOrEqual(99);
  expect(full - second).toBeLessThan(99);
});
