import { expect, test } from '@jest/globals';
import { AtMost } from './at-most.js';

test('so many run at once, so many wait, and the others are refused', async () => {
  const atMost = new AtMost({ atOnce: 2, waiting: 3 });
  const ends: (() => void)[] = [];
  let [running, most] = [0, 0];
  const work = async (name: number): Promise<number> => {
    most = Math.max(most, ++running);
    await new Promise<void>((resolve) => ends.push(resolve));
    running -= 1;
    if (name === 1) throw new Error('fails');
    return name;
  };
  const all = Promise.allSettled([0, 1, 2, 3, 4, 5].map((name) => atMost.run(() => work(name))));
  for (let ended = 0; ended < 5; ended++) {
    ends[ended]!();
    await new Promise(setImmediate);
  }
  const outcomes = (await all).map((each) => (each.status === 'fulfilled' ? each.value : ((each.reason as { code?: string }).code ?? 'failed'))); // prettier-ignore
  expect(outcomes).toEqual([0, 'failed', 2, 3, 4, 'SERVICE_UNAVAILABLE']);
  expect([most, running]).toEqual([2, 0]);
});

test('owners take turns, and one alone does not fill the queue', async () => {
  const atMost = new AtMost({ atOnce: 1, waiting: 10, waitingEach: 2 });
  const began: string[] = [];
  const run = (owner: string, name: string) =>
    atMost.run(async () => {
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

test('an owner has so many at once, while there is room for others', async () => {
  const atMost = new AtMost({ atOnce: 2, atOnceEach: 1, waiting: 10 });
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (owner: string, name: string) =>
    atMost.run(() => {
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
