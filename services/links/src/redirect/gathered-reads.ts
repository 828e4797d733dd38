import { callerTrace, inBatch, type CallerTrace } from '@tautan/kit';
import type { Route } from '../domain/route.js';

interface Waiting {
  key: string;
  trace: CallerTrace;
  resolve: (route: Route | null) => void;
  reject: (error: Error) => void;
}

const MOST_UNDER_WAY = 4;
const MOST_KEYS = 200;

/**
 * Reads single entries of the routing table, many at once where many are wanted: while a few reads are under way, what is
 * asked for gathers, and leaves as one read when one of them returns. Nothing waits longer than it would in the
 * connection pool, and a flood of misses costs a fraction of the round trips.
 */
export class GatheredReads {
  readonly #waiting: Waiting[] = [];
  #underWay = 0;

  /** `readMany` answers the entries that exist, in any order. */
  constructor(private readonly readMany: (keys: string[]) => Promise<Route[]>) {}

  /** The entry of a key, or null. */
  read(key: string): Promise<Route | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ key, trace: callerTrace(), resolve, reject });
      if (this.#underWay < MOST_UNDER_WAY) void this.#leave();
    });
  }

  async #leave(): Promise<void> {
    const some = this.#waiting.splice(0, MOST_KEYS);
    if (some.length === 0) return;
    this.#underWay += 1;
    try {
      const found = await inBatch(some, () => this.readMany(some.map(({ key }) => key)));
      const routes = new Map(found.map((route) => [route._id, route]));
      for (const { key, resolve } of some) resolve(routes.get(key) ?? null);
    } catch (error) {
      for (const { reject } of some) reject(error as Error);
    } finally {
      this.#underWay -= 1;
      void this.#leave();
    }
  }
}
