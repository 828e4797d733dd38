import { fail } from '../errors.js';

/**
 * Runs one piece of work per key at a time, in the order of the calls. The mutex is local to this process; replicas
 * still compete.
 */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Runs `work` after all earlier work of this key has settled, and returns its result. If `signal` is aborted before
   * the work starts, immediately throws SERVICE_UNAVAILABLE; nothing was changed.
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    assertNotAborted(signal);
    const before = this.#tails.get(key);
    let isStarted = false;
    const start = async (): Promise<T> => {
      assertNotAborted(signal);
      isStarted = true;
      return work();
    };
    const own = before ? before.then(start) : start();
    const tail = own.then(ignore, ignore);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    return before && signal ? unlessDropped(own, signal, () => isStarted) : own;
  }
}

/** Settles like `work`. If `signal` is aborted before the work has started, rejects immediately. */
const unlessDropped = <T>(work: Promise<T>, signal: AbortSignal, isStarted: () => boolean): Promise<T> =>
  new Promise((resolve, reject) => {
    const drop = () => isStarted() || reject(notStarted());
    signal.addEventListener('abort', drop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', drop));
  });

/** Throws SERVICE_UNAVAILABLE if `signal` is aborted. Call this before the work starts. */
export function assertNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw notStarted();
}

/**
 * Returns the fault for work that was dropped because its signal was aborted before it started: its caller canceled, or
 * its deadline was near.
 */
export const notStarted = (): Error =>
  fail(
    'SERVICE_UNAVAILABLE',
    'The service is overloaded and did not start the request. Nothing was changed. Try again.',
  );

const ignore = (): void => undefined;
