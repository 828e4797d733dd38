import type { Log } from '@tautan/kit';

/** Background work: at most one run per name at a time. Failures are logged; `settled` waits for all. */
export class Background {
  readonly #running = new Map<string, Promise<void>>();

  constructor(private readonly log: Log) {}

  run(name: string, work: () => Promise<void>): void {
    if (this.#running.has(name)) return;
    const running = work()
      .catch((error: unknown) => this.log.warn({ err: error, name }, 'background work failed'))
      .finally(() => this.#running.delete(name));
    this.#running.set(name, running);
  }

  /** Resolves when the work of a name has ended, even with a failure; immediately if none runs. */
  async finished(name: string): Promise<void> {
    await this.#running.get(name);
  }

  /** Resolves when all work has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
