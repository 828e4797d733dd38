import { callerTrace, inBatch, type CallerTrace } from '@tautan/kit';
import type { Route } from './domain/route.js';

interface Waiting {
  key: string;
  trace: CallerTrace;
  resolve: (route: Route | null) => void;
  reject: (error: Error) => void;
}

const MAX_UNDER_WAY = 2;
const MAX_KEYS = 200;

/**
 * Reads single entries of the routing table, many in one query: all that are requested in one turn of the event loop, and,
 * while two queries are under way, all that are requested until one of them returns. A flood of misses costs a fraction of
 * the round trips.
 */
export class RouteBatcher {
  readonly #waiting: Waiting[] = [];
  #underWay = 0;

  /** `readMany` answers the entries that exist, in any order. */
  constructor(private readonly readMany: (keys: string[]) => Promise<Route[]>) {}

  /** The entry of a key, or null. */
  read(key: string): Promise<Route | null> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ key, trace: callerTrace(), resolve, reject }) === 1) setImmediate(() => this.#start());
    });
  }

  #start(): void {
    while (this.#waiting.length > 0 && this.#underWay < MAX_UNDER_WAY) void this.#leave();
  }

  async #leave(): Promise<void> {
    const some = this.#waiting.splice(0, MAX_KEYS);
    this.#underWay += 1;
    try {
      const found = await inBatch(some, () => this.readMany(some.map(({ key }) => key)));
      const routes = new Map(found.map((route) => [route._id, route]));
      for (const { key, resolve } of some) resolve(routes.get(key) ?? null);
    } catch (error) {
      for (const { reject } of some) reject(error as Error);
    } finally {
      this.#underWay -= 1;
      this.#start();
    }
  }
}
