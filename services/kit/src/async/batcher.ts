import { callerTrace, inBatch, type CallerTrace } from '../telemetry/telemetry.js';

interface Waiting<T, R> {
  item: T;
  trace: CallerTrace;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export interface BatcherOptions<T, R> {
  /** Processes a batch atomically. Resolves with the results in the order of the items, or rejects for all of them. */
  apply(items: T[]): Promise<R[]>;
  /** Maximum batch size; with `weigh`, the maximum weight, unless a single item exceeds it. */
  maxSize: number;
  weigh?: (item: T) => number;
  /** Whether one item may have caused the failure: each item is then retried alone. */
  isItemError?: (error: unknown) => boolean;
  /** Maximum number of concurrent batches. */
  concurrency: number;
  /** Maximum time that the first item waits for others, milliseconds. */
  lingerMs: number;
  /**
   * Minimum time between the starts of two batches, milliseconds (default 0). A full batch starts without this delay.
   * Not supported with `weigh`.
   */
  everyMs?: number;
}

/** Collects items into batches, so that many concurrent calls share one round trip. */
export class Batcher<T, R> {
  readonly #waiting: Waiting<T, R>[] = [];
  #running = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Start of the last batch, by `performance.now()`. */
  #startedAt = -Infinity;

  constructor(private readonly options: BatcherOptions<T, R>) {}

  /**
   * Resolves with the item's result. Rejects if its batch fails and, if the item is retried alone, the retry fails too.
   */
  run(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, trace: callerTrace(), resolve, reject });
      const delayMs = this.#delayMs();
      if (delayMs > 0 && this.#isFull()) this.#flush();
      else this.#flushIn(Math.max(this.options.lingerMs, delayMs));
    });
  }

  #flushIn(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#flush();
    }, ms);
  }

  #flush(): void {
    while (this.#waiting.length > 0 && this.#running < this.options.concurrency) {
      const delayMs = this.#delayMs();
      if (delayMs > 0 && !this.#isFull()) return this.#flushIn(delayMs);
      this.#running += 1;
      this.#startedAt = performance.now();
      void this.#apply(this.#take()).finally(() => {
        this.#running -= 1;
        this.#flush();
      });
    }
  }

  #isFull(): boolean {
    return this.#waiting.length >= this.options.maxSize;
  }

  /** Returns the time until a batch that is not full may start. */
  #delayMs(): number {
    return this.#startedAt + (this.options.everyMs ?? 0) - performance.now();
  }

  #take(): Waiting<T, R>[] {
    const { maxSize, weigh } = this.options;
    if (!weigh) return this.#waiting.splice(0, maxSize);
    let weight = 0;
    const rest = this.#waiting.findIndex(({ item }, i) => {
      weight += weigh(item);
      return i > 0 && weight > maxSize;
    });
    return this.#waiting.splice(0, rest < 0 ? this.#waiting.length : rest);
  }

  /** Never rejects: failures reject the waiting callers. */
  async #apply(group: Waiting<T, R>[]): Promise<void> {
    try {
      const results = await inBatch(group, () => this.options.apply(group.map(({ item }) => item)));
      group.forEach(({ resolve }, i) => resolve(results[i]!));
    } catch (error) {
      const alone = group.length > 1 && this.options.isItemError?.(error) === true;
      for (const each of group) {
        if (alone) await this.#apply([each]);
        else each.reject(error);
      }
    }
  }
}
