import { fail } from '@tautan/kit';
import { explainMongo, isDatabaseUnavailable } from '@tautan/kit/mongo';
import type { Route } from './domain/route.js';
import type { Models } from '../store/models.js';
import { RouteBatcher } from './route-batcher.js';
import { takeBoth, takeOwn } from './limits.js';

const DEADLINE_MS = 2_000;
const REST_MS = 500;

/**
 * Reads the routing table: one indexed operation each, an answer or SERVICE_UNAVAILABLE within 2 s. Once the database
 * has failed, one operation at a time finds out whether it is back, half a second after the last; whoever comes
 * meanwhile is refused at once instead of waiting as well.
 */
export class RouteReader {
  #away = false;
  #probing = false;
  #restUntil = 0;
  // A read that hangs must not hold up those after it, so each has the deadline as well.
  readonly #reads = new RouteBatcher((keys) => withDeadline(this.#readMany(keys)));

  constructor(
    private readonly routes: Models['routes'],
    private readonly ready: () => boolean,
  ) {}

  /** The entry of a key, or null. A QR code's has nothing remaining where its link has not. */
  find(key: string): Promise<Route | null> {
    return this.#ask(async () => {
      const route = await this.#reads.read(key);
      return route?.follows?.limited ? this.#underLink(route, route.follows.key) : route;
    });
  }

  /**
   * Lets one human through a limited entry, atomically over all replicas: counts `remaining` down and answers the entry,
   * or answers null when it is not active, expired (`now`: Unix ms), used up, or not limited.
   */
  consume(key: string, now: number): Promise<Route | null> {
    return this.#ask(() => takeOwn(this.routes, key, new Date(now), DEADLINE_MS));
  }

  /** The same for a QR code whose link is limited: counts that limit down, and the code's own where it has one. */
  consumeBoth(key: string, now: number): Promise<Route | null> {
    return this.#ask(() => takeBoth(this.routes, key, new Date(now), DEADLINE_MS));
  }

  async #underLink(code: Route, key: string): Promise<Route> {
    const link = await this.#reads.read(key);
    const usedUp = link?.linkId === code.linkId && link.remaining !== null && link.remaining <= 0;
    return usedUp ? { ...code, remaining: 0 } : code;
  }

  async #readMany(keys: string[]): Promise<Route[]> {
    const filter = keys.length === 1 ? { _id: keys[0] as never } : { _id: { $in: keys as never[] } };
    const found = this.routes.collection.find(filter, { maxTimeMS: DEADLINE_MS, batchSize: keys.length + 1 });
    return (await found.toArray()) as unknown as Route[];
  }

  async #ask(operation: () => Promise<unknown>): Promise<Route | null> {
    if (!this.ready() || (this.#away && (this.#probing || performance.now() < this.#restUntil))) throw away();
    const probe = this.#away;
    if (probe) this.#probing = true;
    try {
      const route = (await withDeadline(operation())) as Route | null;
      this.#away = false;
      return route;
    } catch (error) {
      if (!isDatabaseUnavailable(error) && !timedOut(error)) throw explainMongo(error) ?? error;
      this.#away = true;
      this.#restUntil = performance.now() + REST_MS;
      throw away();
    } finally {
      if (probe) this.#probing = false;
    }
  }
}

const away = () => fail('SERVICE_UNAVAILABLE', 'The database is away.');

const timedOut = (error: unknown): boolean =>
  (error as Error).name === 'DeadlineError' || (error as { code?: unknown }).code === 50;

/** The driver waits for a silent peer much longer than a visitor does. */
async function withDeadline<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(Object.assign(new Error('the database did not answer in time'), { name: 'DeadlineError' }));
    }, DEADLINE_MS);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
