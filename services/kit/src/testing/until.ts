import { sleep } from '../async/time.js';

type Falsy = false | null | undefined | 0 | '' | void;

/** Resolves with the first truthy result of `probe`. Rejects with its source code if there is none within `withinMs`. */
export async function until<T>(probe: () => T | Promise<T>, withinMs = 10_000): Promise<Exclude<T, Falsy>> {
  const end = Date.now() + withinMs;
  for (;;) {
    const result = await probe();
    if (result) return result as Exclude<T, Falsy>;
    if (Date.now() > end) throw new Error(`Not true within ${withinMs} ms: ${probe}`);
    await sleep(20);
  }
}
