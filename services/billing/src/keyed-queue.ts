import type { Log } from '@tautan/kit';

export interface KeyedQueueOptions {
  work: (key: string) => Promise<void>;
  /** Maximum number of keys processed concurrently. */
  concurrency: number;
  log: Log;
}

/**
 * Processes keys in insertion order. The same key is never processed twice at the same time: a key that is added while
 * it is being processed is processed again afterwards. Failures are logged.
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

  /** Drops the waiting keys. Resolves when the running ones have been processed. */
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
