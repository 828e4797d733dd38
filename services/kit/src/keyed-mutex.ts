import { fail } from './errors.js';

/** Runs work one at a time per key, in the order of the calls. It orders this process alone; replicas still compete. */
export class KeyedMutex {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Runs `work` after all earlier work of this key has settled, and returns its result. Throws SERVICE_UNAVAILABLE when
   * `signal` is aborted before the work starts; then nothing was done.
   */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const before = this.#tails.get(key);
    const start = async (): Promise<T> => {
      if (signal?.aborted) throw notStarted();
      return work();
    };
    const own = before ? before.then(start) : start();
    const tail = own.then(ignore, ignore);
    this.#tails.set(key, tail);
    try {
      return await own;
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

/** The fault of work that was dropped because its caller's deadline passed before it started. */
export const notStarted = (): Error =>
  fail('SERVICE_UNAVAILABLE', 'The service is overloaded and did not start the request; nothing was done. Try again.');

const ignore = (): void => undefined;
