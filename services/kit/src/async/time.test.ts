import { describe, expect, test } from '@jest/globals';
import { sleep, withInterrupt, withTimeout } from './time.js';

const never = new Promise<string>(() => {});
const fallback = () => 'late';

describe('sleep', () => {
  test('resolves after the given time', async () => {
    const start = performance.now();
    await sleep(20);
    expect(performance.now() - start).toBeGreaterThanOrEqual(19);
  });

  test('rejects when aborted', async () => {
    const abort = new AbortController();
    const sleeping = sleep(60_000, { signal: abort.signal });
    abort.abort();
    await expect(sleeping).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('withTimeout', () => {
  test('resolves with the result of the work', async () => {
    expect(await withTimeout(Promise.resolve('done'), 60_000, fallback)).toBe('done');
  });

  test('rejects with the error of the work', async () => {
    await expect(withTimeout(Promise.reject(new Error('failed')), 60_000, fallback)).rejects.toThrow('failed');
  });

  test('resolves with the result of onTimeout after the given time', async () => {
    expect(await withTimeout(never, 10, fallback)).toBe('late');
  });

  test('rejects with what onTimeout throws', async () => {
    const timedOut = () => {
      throw new Error('timed out');
    };
    await expect(withTimeout(never, 10, timedOut)).rejects.toThrow('timed out');
  });

  test('does not call onTimeout once the work has settled', async () => {
    let calls = 0;
    await withTimeout(Promise.resolve(), 10, () => (calls += 1));
    await sleep(30);
    expect(calls).toBe(0);
  });
});

describe('withInterrupt', () => {
  test('settles like the work, and does not interrupt work that settles in time', async () => {
    let interrupted = false;
    const interrupt = () => (interrupted = true);
    expect(await withInterrupt(Promise.resolve('done'), 10, interrupt)).toBe('done');
    await expect(withInterrupt(Promise.reject(new Error('failed')), 10, interrupt)).rejects.toThrow('failed');
    await sleep(30);
    expect(interrupted).toBe(false);
  });

  test('interrupts work after the given time, and waits until it settles', async () => {
    const abort = new AbortController();
    const work = sleep(60_000, { signal: abort.signal });
    await expect(withInterrupt(work, 10, () => abort.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });
});
