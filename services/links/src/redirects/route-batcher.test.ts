import { expect, test } from '@jest/globals';
import type { Route } from './domain/route.js';
import { RouteBatcher } from './route-batcher.js';

function setup() {
  const asked: string[][] = [];
  const held: Array<(error?: Error) => void> = [];
  const reads = new RouteBatcher((keys) => {
    asked.push(keys);
    const found = keys.filter((key) => !key.includes('none')).map((_id) => ({ _id }) as Route);
    return new Promise((resolve, reject) => held.push((error) => (error ? reject(error) : resolve(found.reverse()))));
  });
  return { reads, asked, settle: (error?: Error) => held.splice(0).forEach((each) => each(error)) };
}

test('keys that are read in one turn of the event loop share a query', async () => {
  const { reads, asked, settle } = setup();
  const keys = Array.from({ length: 30 }, (_, i) => (i % 7 === 0 ? `/none${i}` : `/${i}`));
  const answers = Promise.all(keys.map((key) => reads.read(key)));
  await new Promise(setImmediate);
  expect(asked).toEqual([keys]);
  settle();
  expect((await answers).map((route) => route?._id ?? null)).toEqual(
    keys.map((key) => (key.includes('none') ? null : key)),
  );
});

test('at most two queries with at most 200 keys each run concurrently', async () => {
  const { reads, asked, settle } = setup();
  const answers = Promise.all(Array.from({ length: 500 }, (_, i) => reads.read(`/${i}`)));
  await new Promise(setImmediate);
  expect(asked.map(({ length }) => length)).toEqual([200, 200]);
  settle();
  await new Promise(setImmediate);
  expect(asked.map(({ length }) => length)).toEqual([200, 200, 100]);
  settle();
  expect(await answers).toHaveLength(500);
});

test('a failed query rejects only its own reads', async () => {
  const { reads, settle } = setup();
  const first = reads.read('/a');
  await new Promise(setImmediate);
  settle(new Error('unavailable'));
  await expect(first).rejects.toThrow('unavailable');
  const second = reads.read('/b');
  await new Promise(setImmediate);
  settle();
  expect(await second).toMatchObject({ _id: '/b' });
});
