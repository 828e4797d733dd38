import { expect, test } from '@jest/globals';
import { Semaphore } from './semaphore.js';

test('runs and queues a limited number of callers, and rejects the others', async () => {
  const semaphore = new Semaphore({ concurrency: 2, waiting: 3 });
  const ends: (() => void)[] = [];
  let [running, max] = [0, 0];
  const work = async (name: number): Promise<number> => {
    max = Math.max(max, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
    if (name === 1) throw new Error('fails');
    return name;
  };
  const all = Promise.allSettled([0, 1, 2, 3, 4, 5].map((name) => semaphore.run(() => work(name))));
  for (let ended = 0; ended < 5; ended++) {
    ends[ended]!();
    await new Promise(setImmediate);
  }
  const outcomes = (await all).map((each) =>
    each.status === 'fulfilled' ? each.value : ((each.reason as { code?: string }).code ?? 'failed'),
  );
  expect(outcomes).toEqual([0, 'failed', 2, 3, 4, 'SERVICE_UNAVAILABLE']);
  expect([max, running]).toEqual([2, 0]);
});

test('owners take turns, and a single one cannot fill the queue', async () => {
  const semaphore = new Semaphore({ concurrency: 1, waiting: 10, waitingPerOwner: 2 });
  const began: string[] = [];
  const run = (owner: string, name: string) =>
    semaphore.run(async () => {
      began.push(name);
      await new Promise(setImmediate);
    }, owner);
  const all = Promise.allSettled([
    run('a', 'a1'),
    run('a', 'a2'),
    run('a', 'a3'),
    run('a', 'a4'),
    run('b', 'b1'),
    run('b', 'b2'),
    run('c', 'c1'),
  ]);
  expect((await all).map(({ status }) => status).indexOf('rejected')).toBe(3);
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('limits the concurrency of each owner', async () => {
  const semaphore = new Semaphore({ concurrency: 2, concurrencyPerOwner: 1, waiting: 10 });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (owner: string, name: string) =>
    semaphore.run(() => {
      began.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    }, owner);
  const all = [run('a', 'a1'), run('a', 'a2'), run('b', 'b1')];
  expect(began).toEqual(['a1', 'b1']);
  ends.get('b1')!();
  await all[2];
  expect(began).toEqual(['a1', 'b1']);
  ends.get('a1')!();
  await all[0];
  await new Promise(setImmediate);
  ends.get('a2')!();
  await all[1];
  expect(began).toEqual(['a1', 'b1', 'a2']);
});
