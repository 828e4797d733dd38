import { sleep } from '../async/time.js';
import { allowedMs } from './allowed-ms.js';

/**
 * Repeats a check until it stops throwing, and returns its result. Throws the last error after `allowedMs(withinMs)`. An
 * error whose property `final` is true is thrown immediately.
 */
export async function eventually<T>(check: () => Promise<T> | T, withinMs = 15_000, everyMs = 25): Promise<T> {
  const deadline = Date.now() + allowedMs(withinMs);
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline || (error as { final?: boolean }).final) throw error;
    }
    await sleep(everyMs);
  }
}
