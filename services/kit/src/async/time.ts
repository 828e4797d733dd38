import { setTimeout as timeout } from 'node:timers/promises';

export interface SleepOptions {
  /** When this signal is aborted, the sleep rejects with an AbortError. */
  signal?: AbortSignal;
  /** False if the timer must not keep the process running. Default: true. */
  ref?: boolean;
}

/** Resolves after a time in milliseconds. */
export const sleep = (ms: number, options: SleepOptions = {}): Promise<void> => timeout(ms, undefined, options);

/** Settles like `work`, or like `onTimeout` if the work takes longer than `ms`. The work itself is not interrupted. */
export async function withTimeout<T, F>(work: Promise<T>, ms: number, onTimeout: () => F): Promise<T | F> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, late.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Settles like `work`. If that takes longer than `ms`, calls `interrupt`, which must make the work settle. */
export async function withInterrupt<T>(work: Promise<T>, ms: number, interrupt: () => void): Promise<T> {
  const timer = setTimeout(interrupt, ms);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
