/**
 * Runs work with the same key sequentially. Calls that arrive during a run share the next one. That run starts after
 * they arrived, so its result is as recent as if each call had its own run.
 */
export class SharedRuns<T> {
  readonly #running = new Map<string, Promise<T>>();
  readonly #next = new Map<string, { work: () => Promise<T>; result: Promise<T> }>();

  run(key: string, work: () => Promise<T>): Promise<T> {
    // A call also joins the next run if the previous run has ended, but the next one has not started yet.
    const shared = this.#next.get(key);
    if (shared) {
      // The next run uses the work of the latest caller, which has the latest deadline.
      shared.work = work;
      return shared.result;
    }
    const running = this.#running.get(key);
    if (!running) return this.#start(key, work);
    const next = { work, result: running.then(ignore, ignore).then(() => this.#startNext(key)) };
    this.#next.set(key, next);
    return next.result;
  }

  #startNext(key: string): Promise<T> {
    const { work } = this.#next.get(key)!;
    this.#next.delete(key);
    return this.#start(key, work);
  }

  #start(key: string, work: () => Promise<T>): Promise<T> {
    const run = work().finally(() => this.#running.delete(key));
    this.#running.set(key, run);
    return run;
  }
}

const ignore = (): void => undefined;
