import { expect, test } from '@jest/globals';
import type { Route } from './domain/route.js';
import { RouteBatcher } from './route-batcher.js';

function setup() {
  const queries: string[][] = [];
  const held: Array<(error?: Error) => void> = [];
  const reads = new RouteBatcher((keys) => {
    queries.push(keys);
    const found = keys.filter((key) => !key.includes('none')).map((_id) => ({ _id }) as Route);
    return new Promise((resolve, reject) => held.push((error) => (error ? reject(error) : resolve(found.reverse()))));
  });
  return { reads, queries, held, settle: () => held.splice(0).forEach((each) => each()) };
}

test('keys that are read in one turn of the event loop share a query', async () => {
  const { reads, queries, settle } = setup();
  const keys = Array.from({ length: 30 }, (_, i) => (i % 7 === 0 ? `/none${i}` : `/${i}`));
  const answers = Promise.all(keys.map((key) => reads.read(key)));
  await new Promise(setImmediate);
  expect(queries).toEqual([keys]);
  settle();
  expect((await answers).map((route) => route?._id ?? null)).toEqual(
    keys.map((key) => (key.includes('none') ? null : key)),
  );
});

test('at most two queries with at most 200 keys each run concurrently', async () => {
  const { reads, queries, settle } = setup();
  const answers = Promise.all(Array.from({ length: 500 }, (_, i) => reads.read(`/${i}`)));
  await new Promise(setImmediate);
  expect(queries.map(({ length }) => length)).toEqual([200, 200]);
  settle();
  await new Promise(setImmediate);
  expect(queries.map(({ length }) => length)).toEqual([200, 200, 100]);
  settle();
  expect(await answers).toHaveLength(500);
});

test('a failed query rejects only its own reads', async () => {
  const { reads, held, settle } = setup();
  // The last read waits while two queries run.
  const answers = Promise.allSettled(Array.from({ length: 401 }, (_, i) => reads.read(`/${i}`)));
  await new Promise(setImmediate);
  held.shift()!(new Error('unavailable'));
  await new Promise(setImmediate);
  settle();
  const failed = { status: 'rejected', reason: new Error('unavailable') };
  expect(await answers).toEqual(
    Array.from({ length: 401 }, (_, i) => (i < 200 ? failed : { status: 'fulfilled', value: { _id: `/${i}` } })),
  );
});
