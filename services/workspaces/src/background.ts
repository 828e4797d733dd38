import type { Log } from '@tautan/kit';

/** Work that no answer waits for: at most one of a name at a time, failures logged, awaited by `settled`. */
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

  /** Resolves when the work of a name is done, well or badly; at once when none runs. */
  async finished(name: string): Promise<void> {
    await this.#running.get(name);
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
  }
}
