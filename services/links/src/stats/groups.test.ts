import { expect, test } from '@jest/globals';
import { Groups } from './groups.js';

const away = new Error('away');

function setup(outcome: (items: number[]) => Error | undefined = () => undefined) {
  const groups: number[][] = [];
  let running = 0;
  const seen = { most: 0 };
  const apply = async (items: number[]) => {
    groups.push(items);
    seen.most = Math.max(seen.most, (running += 1));
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    const error = outcome(items);
    if (error) throw error;
  };
  const options = { apply, isTransient: (error: unknown) => error === away, weigh: (item: number) => item, mostWeight: 10, atOnce: 2, lingerMs: 5 }; // prettier-ignore
  return { groups, seen, run: new Groups(options) };
}
const settle = async (runs: Array<Promise<void>>) =>
  (await Promise.allSettled(runs)).map(({ status }) => status === 'fulfilled');

test('what comes together is done together, up to the weight, two groups at once', async () => {
  const { groups, seen, run } = setup();
  expect(await settle([4, 4, 2, 9, 30, 1, 1].map((item) => run.run(item)))).toEqual(Array(7).fill(true));
  expect(groups).toEqual([[4, 4, 2], [9], [30], [1, 1]]);
  expect(seen.most).toBe(2);
});

test('of a group that fails by one item, the others are done', async () => {
  const { groups, run } = setup((items) => (items.includes(3) ? new Error('three') : undefined));
  expect(await settle([1, 2, 3, 4].map((item) => run.run(item)))).toEqual([true, true, false, true]);
  expect(groups).toEqual([[1, 2, 3, 4], [1], [2], [3], [4]]);
});

test('a failure that is not theirs fails all, once', async () => {
  const { groups, run } = setup(() => away);
  expect(await settle([1, 2].map((item) => run.run(item)))).toEqual([false, false]);
  expect(groups).toEqual([[1, 2]]);
  expect(await settle([run.run(3)])).toEqual([false]);
});
