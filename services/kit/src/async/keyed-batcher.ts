import { assertNotAborted, notStarted, type KeyedMutex } from './keyed-mutex.js';
import { callerTrace, inBatch, type CallerTrace } from '../telemetry/telemetry.js';

interface Waiting<T, R> {
  item: T;
  trace: CallerTrace;
  signal: AbortSignal | undefined;
  isStarted: boolean;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

export interface KeyedBatcherOptions<T, R> {
  /** Serializes the batches of a key with other work under the same key. */
  mutex: KeyedMutex;
  keyOf: (item: T) => string;
  /** Items of different groups never share a batch. Default: one group per key. */
  groupOf?: (item: T) => string;
  /** Maximum number of items in a batch. */
  maxItems: number;
  /** Returns the results in the order of the items; an Error rejects that item alone. A rejection rejects all items. */
  apply: (items: T[]) => Promise<(R | Error)[]>;
  /** Whether one item may have caused the failure: each item is then retried alone. */
  isItemError?: (error: unknown) => boolean;
}

/** Processes items in batches, one batch at a time per key. Items that arrive during a batch form the next one. */
export class KeyedBatcher<T, R> {
  readonly #waiting = new Map<string, Waiting<T, R>[]>();

  constructor(private readonly options: KeyedBatcherOptions<T, R>) {}

  /**
   * Resolves with the item's result. Rejects with SERVICE_UNAVAILABLE if `signal` is aborted before the item's batch
   * starts; the item is then not processed.
   */
  async run(item: T, signal?: AbortSignal): Promise<R> {
    assertNotAborted(signal);
    const key = this.options.keyOf(item);
    return new Promise((resolve, reject) => {
      const entry = { item, trace: callerTrace(), signal, isStarted: false, resolve, reject };
      signal?.addEventListener('abort', () => entry.isStarted || reject(notStarted()), { once: true });
      const waiting = this.#waiting.get(key);
      if (waiting) return void waiting.push(entry);
      this.#waiting.set(key, [entry]);
      void this.options.mutex.run(key, () => this.#drain(key));
    });
  }

  async #drain(key: string): Promise<void> {
    const waiting = this.#waiting.get(key)!;
    this.#waiting.delete(key);
    while (waiting.length > 0) await this.#start(this.#take(waiting));
  }

  #take(waiting: Waiting<T, R>[]): Waiting<T, R>[] {
    const { groupOf = () => '', maxItems } = this.options;
    const group = groupOf(waiting[0]!.item);
    const rest = waiting.findIndex(({ item }, i) => i === maxItems || groupOf(item) !== group);
    return waiting.splice(0, rest < 0 ? waiting.length : rest);
  }

  async #start(batch: Waiting<T, R>[]): Promise<void> {
    const started = batch.filter(({ signal }) => !signal?.aborted);
    for (const entry of started) entry.isStarted = true;
    if (started.length > 0) await this.#apply(started);
  }

  /** Never rejects: the callers receive the errors. */
  async #apply(started: Waiting<T, R>[]): Promise<void> {
    const { apply, isItemError } = this.options;
    try {
      const results = await inBatch(started, () => apply(started.map(({ item }) => item)));
      started.forEach(({ resolve, reject }, i) => {
        const result = results[i]!;
        if (result instanceof Error) reject(result);
        else resolve(result);
      });
    } catch (error) {
      const alone = started.length > 1 && isItemError?.(error) === true;
      for (const entry of started) {
        if (alone) await this.#apply([entry]);
        else entry.reject(error);
      }
    }
  }
}
