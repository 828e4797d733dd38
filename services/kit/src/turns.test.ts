import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from './turns.js';

test('work under one key goes one after the other, in order, whatever fails; other keys do not wait', async () => {
  const turns = new Turns();
  const told: string[] = [];
  const work =
    (name: string, ms: number, fails = false) =>
    async () => {
      told.push(`${name} begins`);
      await sleep(ms);
      told.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const first = turns.take('a', work('first', 40, true));
  const second = turns.take('a', work('second', 1));
  const other = turns.take('b', work('other', 1));
  await expect(first).rejects.toThrow('first');
  expect(await Promise.all([second, other])).toEqual(['second', 'other']);
  expect(told).toEqual(['first begins', 'other begins', 'other ends', 'first ends', 'second begins', 'second ends']);
});

test('nobody waits for work that hangs', async () => {
  const turns = new Turns(20);
  void turns.take('a', () => new Promise(() => {}));
  expect(await Promise.all([1, 2, 3].map((n) => turns.take('a', async () => n)))).toEqual([1, 2, 3]);
});
