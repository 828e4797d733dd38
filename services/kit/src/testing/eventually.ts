import { sleep } from '../async/time.js';

/**
 * Repeats a check until it stops throwing, and returns its result. Throws the last error after `withinMs`. An error
 * whose property `final` is true is thrown immediately.
 */
export async function eventually<T>(check: () => Promise<T> | T, withinMs = 5_000, everyMs = 25): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline || (error as { final?: boolean }).final) throw error;
    }
    await sleep(everyMs);
  }
}
