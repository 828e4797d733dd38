import { fail, withTimeout } from '@tautan/kit';
import { driverCollection, explainMongo, isDatabaseUnavailable, type Mongo } from '@tautan/kit/mongo';
import type { Route } from './domain/route.js';
import type { Models } from '../store/models.js';
import { RouteBatcher } from './route-batcher.js';
import { consumeBoth, consumeOwn } from './limits.js';

const DEADLINE_MS = 2_000;
const PROBE_INTERVAL_MS = 500;

/**
 * Reads the routing table and counts visits against limits. Every operation ends within 2 s, and throws
 * SERVICE_UNAVAILABLE if the database is unavailable or has not responded by then. Until the first connection is ready,
 * operations wait for that connection, so that a restarted process does not reject its first visitors. After a failure
 * of the database, one operation at a time probes it, half a second after the last failure; others fail immediately
 * instead of waiting.
 */
export class RouteReader {
  #unavailable = false;
  #probing = false;
  #nextProbeAt = 0;
  // The deadline also applies to each query, so that a query that hangs does not block later ones.
  readonly #reads = new RouteBatcher((keys) => withDeadline(this.#readMany(keys)));

  constructor(
    private readonly routes: Models['routes'],
    private readonly mongo: Pick<Mongo, 'ready' | 'whenReady'>,
  ) {}

  /** Returns the entry of a key, or null. A QR code's entry has `remaining` 0 if the limit of its link is used up. */
  find(key: string): Promise<Route | null> {
    return this.#run(async () => {
      const route = await this.#reads.read(key);
      return route?.follows?.limited ? this.#withLinkLimit(route, route.follows.key) : route;
    });
  }

  /**
   * Counts one human visit against a route's own limit, atomically across replicas. Returns the route, or null if it is
   * inactive, expired at `now` (Unix ms), used up or not limited, or if it belongs to a QR code whose link is limited.
   */
  consume(key: string, now: number): Promise<Route | null> {
    return this.#run(() => consumeOwn(this.routes, key, new Date(now), DEADLINE_MS));
  }

  /**
   * Like `consume`, for a QR code with a limited link: counts the visit against the link's limit, and against the
   * code's own if it has one.
   */
  consumeBoth(key: string, now: number): Promise<Route | null> {
    return this.#run(() => consumeBoth(this.routes, key, new Date(now), DEADLINE_MS));
  }

  async #withLinkLimit(code: Route, key: string): Promise<Route> {
    const link = await this.#reads.read(key);
    const usedUp = link?.linkId === code.linkId && link.remaining !== null && link.remaining <= 0;
    return usedUp ? { ...code, remaining: 0 } : code;
  }

  async #readMany(keys: string[]): Promise<Route[]> {
    const filter = keys.length === 1 ? { _id: keys[0] } : { _id: { $in: keys } };
    const found = driverCollection(this.routes).find(filter, { maxTimeMS: DEADLINE_MS, batchSize: keys.length + 1 });
    return found.toArray();
  }

  async #run(operation: () => Promise<unknown>): Promise<Route | null> {
    if (this.#unavailable && (this.#probing || performance.now() < this.#nextProbeAt)) throw unavailable();
    const probe = this.#unavailable;
    if (probe) this.#probing = true;
    try {
      const { mongo } = this;
      const started = mongo.ready() ? operation() : mongo.whenReady.then(operation);
      const route = (await withDeadline(started)) as Route | null;
      this.#unavailable = false;
      return route;
    } catch (error) {
      if (!isDatabaseUnavailable(error) && !timedOut(error)) throw explainMongo(error) ?? error;
      this.#unavailable = true;
      this.#nextProbeAt = performance.now() + PROBE_INTERVAL_MS;
      throw unavailable();
    } finally {
      if (probe) this.#probing = false;
    }
  }
}

const unavailable = () => fail('SERVICE_UNAVAILABLE', 'The database is unavailable.');

const timedOut = (error: unknown): boolean =>
  (error as Error).name === 'DeadlineError' || (error as { code?: unknown }).code === 50;

/** Rejects work that exceeds the deadline. The driver itself waits much longer for an unresponsive server. */
const withDeadline = <T>(work: Promise<T>): Promise<T> =>
  withTimeout(work, DEADLINE_MS, () => {
    throw Object.assign(new Error('the database timed out'), { name: 'DeadlineError' });
  });
