import { sleep } from '../async/time.js';

type Falsy = false | null | undefined | 0 | '' | void;

/**
 * Repeats `probe` until its result is truthy, and returns this result. If there is none within `withinMs`, rejects with
 * an error that contains the source code of `probe`.
 */
export async function until<T>(probe: () => T | Promise<T>, withinMs = 10_000): Promise<Exclude<T, Falsy>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const result = await probe();
    if (result) return result as Exclude<T, Falsy>;
    if (Date.now() > end) throw new Error(`Not true within ${withinMs} ms: ${probe}`);
    await sleep(20);
  }
}
