import { expect, test } from '@jest/globals';
import { AtMost } from './at-most.js';

test('so many run at once, so many wait, and the others are refused', async () => {
  const atMost = new AtMost(2, 3);
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
