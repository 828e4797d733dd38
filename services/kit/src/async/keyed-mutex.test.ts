import { expect, jest, test } from '@jest/globals';
import { getEventListeners } from 'node:events';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { KeyedMutex } from './keyed-mutex.js';

test('runs work of one key sequentially, despite failures; other keys do not wait', async () => {
  const mutex = new KeyedMutex();
  const steps: string[] = [];
  const work =
    (name: string, ms: number, fails = false) =>
    async () => {
      steps.push(`${name} starts`);
      await sleep(ms);
      steps.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    };
  const first = mutex.run('a', work('first', 40, true));
  const second = mutex.run('a', work('second', 1));
  const other = mutex.run('b', work('other', 1));
  await expect(first).rejects.toThrow('first');
  expect(await Promise.all([second, other])).toEqual(['second', 'other']);
  expect(steps).toEqual(['first starts', 'other starts', 'other ends', 'first ends', 'second starts', 'second ends']);
});

test('makes later work wait for the running work, even after earlier work has ended', async () => {
  const mutex = new KeyedMutex();
  let release = (): void => undefined;
  const first = mutex.run('a', async () => undefined);
  const second = mutex.run('a', () => new Promise<void>((resolve) => (release = resolve)));
  await first;
  await turn();
  let started = false;
  const third = mutex.run('a', async () => void (started = true));
  await turn();
  expect(started).toBe(false);
  release();
  await Promise.all([second, third]);
  expect(started).toBe(true);
});

test('forgets a key when its work has ended', async () => {
  const set = jest.spyOn(Map.prototype, 'set');
  await new KeyedMutex().run('a', async () => undefined);
  const tails = set.mock.contexts[set.mock.calls.findIndex(([key]) => key === 'a')] as Map<string, unknown>;
  set.mockRestore();
  await turn();
  expect(tails.size).toBe(0);
});

test('drops work whose signal is aborted before it starts, and runs later work', async () => {
  const mutex = new KeyedMutex();
  const abort = new AbortController();
  let release = (): void => undefined;
  const first = mutex.run('a', () => new Promise<void>((resolve) => (release = resolve)));
  let started = false;
  const dropped = mutex.run('a', async () => void (started = true), abort.signal);
  const { signal } = new AbortController();
  const last = mutex.run('a', async () => 'last', signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  abort.abort();
  // It rejects immediately, not when the work would have started.
  await expect(dropped).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  release();
  await first;
  expect([started, await last]).toEqual([false, 'last']);
  await turn();
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('does not drop work that has started', async () => {
  const mutex = new KeyedMutex();
  const abort = new AbortController();
  const first = mutex.run('a', () => sleep(5));
  const second = mutex.run(
    'a',
    async () => {
      abort.abort();
      await sleep(5);
      return 'done';
    },
    abort.signal,
  );
  await first;
  expect(await second).toBe('done');
  await expect(mutex.run('a', async () => 'late', abort.signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
