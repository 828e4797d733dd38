import type { Log } from '@tautan/kit';

export interface KeyedQueueOptions {
  work: (key: string) => Promise<void>;
  /** Maximum number of keys worked on concurrently. */
  concurrency: number;
  log: Log;
}

/**
 * Works on keys in the order in which they were added: each key once at a time, and once more if it was added while it was
 * worked on. A failure is logged.
 */
export class KeyedQueue {
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(private readonly options: KeyedQueueOptions) {}

  add(key: string): void {
    if (this.#isStopped) return;
    this.#waiting.add(key);
    this.#next();
  }

  /** Drops the waiting keys and resolves when the running ones are done. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#waiting.clear();
    await Promise.all(this.#running.values());
  }

  #next(): void {
    for (const key of this.#waiting) {
      if (this.#running.size >= this.options.concurrency) return;
      if (!this.#running.has(key)) this.#start(key);
    }
  }

  #start(key: string): void {
    const { work, log } = this.options;
    this.#waiting.delete(key);
    const running = work(key)
      .catch((error: unknown) => log.warn({ err: error, key }, 'queued work failed'))
      .then(() => {
        this.#running.delete(key);
        this.#next();
      });
    this.#running.set(key, running);
  }
}
