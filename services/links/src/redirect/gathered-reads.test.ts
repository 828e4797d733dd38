import { expect, test } from '@jest/globals';
import type { Route } from '../domain/route.js';
import { GatheredReads } from './gathered-reads.js';

function setup() {
  const asked: string[][] = [];
  const held: Array<(error?: Error) => void> = [];
  const reads = new GatheredReads((keys) => {
    asked.push(keys);
    const found = keys.filter((key) => !key.includes('none')).map((_id) => ({ _id }) as Route);
    return new Promise((resolve, reject) => held.push((error) => (error ? reject(error) : resolve(found.reverse()))));
  });
  return { reads, asked, settle: (error?: Error) => held.splice(0).forEach((each) => each(error)) };
}

test('a few reads leave at once, the others together when one returns', async () => {
  const { reads, asked, settle } = setup();
  const keys = Array.from({ length: 30 }, (_, i) => (i % 7 === 0 ? `/none${i}` : `/${i}`));
  const answers = Promise.all(keys.map((key) => reads.read(key)));
  expect(asked.map(({ length }) => length)).toEqual([1, 1, 1, 1]);
  settle();
  await new Promise(setImmediate);
  expect(asked.map(({ length }) => length)).toEqual([1, 1, 1, 1, 26]);
  settle();
  expect((await answers).map((route) => route?._id ?? null)).toEqual(keys.map((key) => (key.includes('none') ? null : key))); // prettier-ignore
});

test('a failure reaches those whose read it was, and no others', async () => {
  const { reads, settle } = setup();
  const first = reads.read('/a');
  settle(new Error('away'));
  await expect(first).rejects.toThrow('away');
  const second = reads.read('/b');
  settle();
  expect(await second).toMatchObject({ _id: '/b' });
});
