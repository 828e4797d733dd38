import { callerTrace, inBatch, type CallerTrace } from '@tautan/kit';
import type { Route } from './domain/route.js';

interface Waiting {
  key: string;
  trace: CallerTrace;
  resolve: (route: Route | null) => void;
  reject: (error: Error) => void;
}

const MAX_QUERIES = 2;
const MAX_KEYS = 200;

/**
 * Reads entries of the routing table in batches. Reads that are requested in one turn of the event loop share a query.
 * While two queries are in progress, further reads wait until one of the two returns, and then share the next query.
 * This saves most round trips when many routes are not cached.
 */
export class RouteBatcher {
  readonly #waiting: Waiting[] = [];
  #running = 0;

  /** `readMany` returns the existing entries in any order. */
  constructor(private readonly readMany: (keys: string[]) => Promise<Route[]>) {}

  /** Returns the entry of a key, or null. */
  read(key: string): Promise<Route | null> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ key, trace: callerTrace(), resolve, reject }) === 1) setImmediate(() => this.#start());
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#running < MAX_QUERIES) void this.#readBatch();
  }

  async #readBatch(): Promise<void> {
    const batch = this.#waiting.splice(0, MAX_KEYS);
    this.#running += 1;
    try {
      const found = await inBatch(batch, () => this.readMany(batch.map(({ key }) => key)));
      const routes = new Map(found.map((route) => [route._id, route]));
      for (const { key, resolve } of batch) resolve(routes.get(key) ?? null);
    } catch (error) {
      for (const { reject } of batch) reject(error as Error);
    } finally {
      this.#running -= 1;
      this.#start();
    }
  }
}
