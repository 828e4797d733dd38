import { sleep } from '../async/time.js';
import { allowedMs } from './allowed-ms.js';

type Falsy = false | null | undefined | 0 | '' | void;

/**
 * Repeats `probe` until its result is truthy, and returns this result. If there is none within `allowedMs(withinMs)`,
 * rejects with an error that contains the source code of `probe`.
 */
export async function until<T>(probe: () => T | Promise<T>, withinMs = 20_000): Promise<Exclude<T, Falsy>> {
  const limitMs = allowedMs(withinMs);
  const end = Date.now() + limitMs;
  for (;;) {
    const result = await probe();
    if (result) return result as Exclude<T, Falsy>;
    if (Date.now() > end) throw new Error(`Not true within ${limitMs} ms: ${probe}`);
    await sleep(20);
  }
}
