import { setTimeout as timeout } from 'node:timers/promises';

export interface SleepOptions {
  /** Aborting it rejects with an AbortError. */
  signal?: AbortSignal;
  /** False if the timer must not keep the process running. Default: true. */
  ref?: boolean;
}

/** Resolves after a time in milliseconds. */
export const sleep = (ms: number, options: SleepOptions = {}): Promise<void> => timeout(ms, undefined, options);

/** Settles like `work`, or like `onTimeout` if the work takes longer than `ms`. The work itself is not interrupted. */
export async function withTimeout<T, F>(work: Promise<T>, ms: number, onTimeout: () => F): Promise<T | F> {
  const settled = new AbortController();
  const late = sleep(ms, { signal: settled.signal }).then(onTimeout);
  try {
    return await Promise.race([work, late]);
  } finally {
    settled.abort();
    late.catch(() => undefined);
  }
}
