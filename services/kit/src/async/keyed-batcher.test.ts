import { expect, test } from '@jest/globals';
import { fail, isFault } from '../errors.js';
import { KeyedBatcher } from './keyed-batcher.js';
import { KeyedMutex } from './keyed-mutex.js';

interface Item {
  key: string;
  n: number;
  group?: string;
}

/** A batcher whose first batch waits for `open`, so that later items have to wait. */
function aBatcher(
  apply: (items: Item[]) => Promise<(number | Error)[]> = async (items) => items.map(({ n }) => n * 10),
  isItemError: (error: unknown) => boolean = () => false,
) {
  const batches: number[][] = [];
  const mutex = new KeyedMutex();
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const batcher = new KeyedBatcher<Item, number>({
    mutex,
    keyOf: ({ key }) => key,
    groupOf: ({ group = '' }) => group,
    maxItems: 3,
    isItemError,
    apply: async (items) => {
      batches.push(items.map(({ n }) => n));
      if (batches.length === 1) await opened;
      return apply(items);
    },
  });
  return { batcher, batches, mutex, open };
}

test('batches the items that arrive while a batch of their key runs, in order', async () => {
  const { batcher, batches, open } = aBatcher();
  const first = batcher.run({ key: 'a', n: 1 });
  await Promise.resolve();
  const others = [2, 3, 4, 5].map((n) => batcher.run({ key: 'a', n }));
  open();
  expect(await Promise.all([first, ...others])).toEqual([10, 20, 30, 40, 50]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  expect(await batcher.run({ key: 'a', n: 6 })).toBe(60);
});

test('does not wait for other keys, and never mixes keys or groups in a batch', async () => {
  const { batcher, batches, open } = aBatcher();
  const first = batcher.run({ key: 'a', n: 1 });
  const waiting = [
    { n: 2, group: 'x' },
    { n: 3, group: 'x' },
    { n: 4, group: 'y' },
    { n: 5, group: 'x' },
  ].map((item) => batcher.run({ key: 'a', ...item }));
  expect(await batcher.run({ key: 'b', n: 9 })).toBe(90);
  open();
  await Promise.all([first, ...waiting]);
  expect(batches).toEqual([[1], [9], [2, 3], [4], [5]]);
});

test('is serialized with other work under the same key', async () => {
  const { batcher, batches, mutex, open } = aBatcher();
  let end = (): void => undefined;
  const other = mutex.run('a', () => new Promise<void>((resolve) => (end = resolve)));
  const item = batcher.run({ key: 'a', n: 1 });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(batches).toEqual([]);
  end();
  open();
  await other;
  expect(await item).toBe(10);
});

test('rejects only the item whose result is an Error, but all items of a failed batch', async () => {
  const { batcher, open } = aBatcher(async (items) => {
    if (items.some(({ n }) => n === 7)) throw new Error('all');
    return items.map(({ n }) => (n === 2 ? fail('VALIDATION_ERROR', 'two') : n));
  });
  const items = [1, 2, 3, 4, 7, 8].map((n) => batcher.run({ key: 'a', n }));
  open();
  const outcomes = await Promise.allSettled(items);
  const results = outcomes.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message));
  expect(results).toEqual([1, 'two', 3, 4, 'all', 'all']);
});

test('drops items whose signal was aborted before their batch started', async () => {
  const { batcher, batches, open } = aBatcher();
  const aborted = new AbortController();
  const late = new AbortController();
  const first = batcher.run({ key: 'a', n: 1 }, late.signal);
  await Promise.resolve();
  const dropped = batcher.run({ key: 'a', n: 2 }, aborted.signal);
  const kept = batcher.run({ key: 'a', n: 3 });
  aborted.abort();
  late.abort();
  open();
  await expect(dropped).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect([await first, await kept]).toEqual([10, 30]);
  expect(batches).toEqual([[1], [3]]);
  await expect(batcher.run({ key: 'a', n: 4 }, aborted.signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(batches).toHaveLength(2);
});

test('retries each item of a failed batch alone if an item may be the cause, including items aborted meanwhile', async () => {
  const caller = new AbortController();
  const apply = async (items: Item[]) => {
    if (items.length === 3) caller.abort();
    if (items.some(({ n }) => n === 3)) throw fail('VALIDATION_ERROR', 'three');
    return items.map(({ n }) => n * 10);
  };
  const { batcher, batches, open } = aBatcher(apply, isFault);
  const items = [1, 2, 3, 4].map((n) => batcher.run({ key: 'a', n }, n === 4 ? caller.signal : undefined));
  open();
  const outcomes = await Promise.allSettled(items);
  expect(batches).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
  expect(outcomes).toMatchObject([{ value: 10 }, { value: 20 }, { reason: { message: 'three' } }, { value: 40 }]);
});

test('starts no batch if all of its items were dropped', async () => {
  const { batcher, batches, mutex, open } = aBatcher();
  const aborted = new AbortController();
  const first = batcher.run({ key: 'a', n: 1 });
  await Promise.resolve();
  const dropped = batcher.run({ key: 'a', n: 2 }, aborted.signal);
  aborted.abort();
  await expect(dropped).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  open();
  await first;
  // Runs after the dropped item was taken from the queue.
  await mutex.run('a', async () => undefined);
  expect(batches).toEqual([[1]]);
  expect(await batcher.run({ key: 'a', n: 3 })).toBe(30);
  expect(batches).toEqual([[1], [3]]);
});

test('without groups, items of a key share a batch, and a rejection fails all of them', async () => {
  const batches: number[][] = [];
  const batcher = new KeyedBatcher<Item, number>({
    mutex: new KeyedMutex(),
    keyOf: ({ key }) => key,
    maxItems: 3,
    apply: async (items) => {
      batches.push(items.map(({ n }) => n));
      if (batches.length === 2) throw new Error('the second batch fails');
      return items.map(({ n }) => n);
    },
  });
  const items = [1, 2, 3].map((n) => batcher.run({ key: 'a', n, group: `${n}` }));
  const outcomes = await Promise.allSettled(items);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(batches).toEqual([[1], [2, 3]]);
});
