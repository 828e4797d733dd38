import type { Log } from '@tautan/kit';

/** Runs work in the background, at most once at a time per name, and logs failures. */
export class Background {
  readonly #running = new Map<string, Promise<void>>();

  constructor(private readonly log: Log) {}

  /** Starts the work, unless work with this name is running. */
  run(name: string, work: () => Promise<void>): void {
    if (this.#running.has(name)) return;
    const running = work()
      .catch((error: unknown) => this.log.warn({ err: error, name }, 'background work failed'))
      .finally(() => this.#running.delete(name));
    this.#running.set(name, running);
  }

  /** Resolves when the work with this name has succeeded or failed; immediately if none is running. */
  async finished(name: string): Promise<void> {
    await this.#running.get(name);
  }

  /** Resolves when all work has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
