import { expect, test } from '@jest/globals';
import { Batcher } from './batcher.js';

function batching(maxSize: number, failOn?: number) {
  const groups: number[][] = [];
  let running = 0;
  const observed = { maxRunning: 0 };
  const apply = async (items: number[]) => {
    groups.push(items);
    observed.maxRunning = Math.max(observed.maxRunning, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    if (failOn !== undefined && items.includes(failOn)) throw new Error('no');
    return items.map((item) => item * 10);
  };
  return { groups, observed, batcher: new Batcher({ apply, maxSize, concurrency: 2, lingerMs: 2 }) };
}

test('batches items in order, up to the maximum size, with bounded concurrency', async () => {
  const { groups, observed, batcher } = batching(3);
  const results = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((item) => batcher.run(item)));
  expect(results).toEqual([10, 20, 30, 40, 50, 60, 70]);
  expect(groups).toEqual([[1, 2, 3], [4, 5, 6], [7]]);
  expect(observed.maxRunning).toBe(2);
});

test('a failed batch rejects its own items only', async () => {
  const { batcher } = batching(2, 3);
  const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => batcher.run(item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(await batcher.run(6)).toBe(60);
});

test('with weights, a batch has at most the maximum weight, or a single heavier item', async () => {
  const groups: number[][] = [];
  const apply = async (items: number[]) => {
    groups.push(items);
    return items;
  };
  const heavy = new Batcher({ apply, weigh: (item: number) => item, maxSize: 10, concurrency: 2, lingerMs: 5 });
  await Promise.all([4, 4, 2, 9, 30, 1, 1].map((item) => heavy.run(item)));
  expect(groups).toEqual([[4, 4, 2], [9], [30], [1, 1]]);
});

test('retries each item alone if one of them may have caused the failure; any other failure rejects all items', async () => {
  const unavailable = new Error('unavailable');
  const groups: number[][] = [];
  const outage: { error?: Error } = {};
  const apply = async (items: number[]) => {
    groups.push(items);
    const error = outage.error ?? (items.includes(3) ? new Error('three') : undefined);
    if (error) throw error;
    return items;
  };
  const retrying = new Batcher({
    apply,
    isItemError: (error) => error !== unavailable,
    maxSize: 10,
    concurrency: 1,
    lingerMs: 5,
  });
  const settle = async (items: number[]) =>
    (await Promise.allSettled(items.map((item) => retrying.run(item)))).map(({ status }) => status === 'fulfilled');
  expect(await settle([1, 2, 3, 4])).toEqual([true, true, false, true]);
  outage.error = unavailable;
  expect(await settle([1, 2])).toEqual([false, false]);
  expect(groups).toEqual([[1, 2, 3, 4], [1], [2], [3], [4], [1, 2]]);
});

test('batches that are not full start at a minimum interval', async () => {
  const batches: { items: number[]; at: number }[] = [];
  const apply = async (items: number[]) => {
    batches.push({ items, at: performance.now() });
    return items;
  };
  const spaced = new Batcher({ apply, maxSize: 3, concurrency: 1, lingerMs: 0, everyMs: 500 });
  await spaced.run(1);
  await Promise.all([spaced.run(2), spaced.run(3)]);
  await Promise.all([4, 5, 6].map((item) => spaced.run(item)));
  expect(batches.map(({ items }) => items)).toEqual([[1], [2, 3], [4, 5, 6]]);
  const [first, second, full] = batches.map(({ at }) => at) as [number, number, number];
  // A timer of Node.js may fire up to a millisecond early.
  expect(second - first).toBeGreaterThanOrEqual(499);
  expect(full - second).toBeLessThan(499);
});

test('the first item waits for others even if that takes longer than the minimum interval', async () => {
  const groups: number[][] = [];
  const apply = async (items: number[]) => {
    groups.push(items);
    return items;
  };
  const lingering = new Batcher({ apply, maxSize: 10, concurrency: 1, lingerMs: 60, everyMs: 10 });
  for (let round = 0; round < 2; round += 1) {
    const first = lingering.run(1);
    await new Promise((resolve) => setTimeout(resolve, 30));
    await Promise.all([first, lingering.run(2)]);
  }
  expect(groups).toEqual([
    [1, 2],
    [1, 2],
  ]);
});
