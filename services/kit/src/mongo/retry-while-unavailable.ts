import { faultCode } from '../errors.js';
import { explainMongo } from './connection.js';
import { sleep } from '../async/time.js';

export interface RetryOptions {
  /** Maximum duration of the retries, milliseconds. */
  timeoutMs: number;
  /** Pause between attempts, milliseconds. */
  retryMs: number;
  /** Stops retrying once it returns true. */
  stopping: () => boolean;
}

/**
 * Returns whether an error is temporary: a SERVICE_UNAVAILABLE fault, or an error of a database that is unavailable,
 * full, too slow or contended.
 */
export const isTransient = (error: unknown): boolean =>
  faultCode(error) === 'SERVICE_UNAVAILABLE' || explainMongo(error) !== undefined;

/** Runs `work` and repeats it as long as it fails with a transient error. Rejects with the last error. */
export async function retryWhileUnavailable<T>(
  work: () => Promise<T>,
  { timeoutMs, retryMs, stopping }: RetryOptions,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || stopping() || performance.now() > deadline) throw error;
      await sleep(retryMs);
    }
  }
}
