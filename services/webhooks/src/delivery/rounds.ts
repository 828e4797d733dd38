import type { Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import { Gathering } from '@tautan/kit';
import type { RecordedAttempt } from '../store/deliveries.js';
import type { Store } from '../store/index.js';
import type { Kicks, Release } from '../store/queues.js';

/** Due deliveries of an endpoint that are read at once, and of several endpoints together. */
const PAGE = 32;
const MOST_TOGETHER = 512;
const LINGER_MS = 2;
const RECORD_LINGER_MS = 5;

/** Due deliveries, and whether there may be more of them. */
interface Page {
  deliveries: Delivery[];
  more: boolean;
}

/** The look-ups and writes of all workers of a replica, each made together for those that need it at about the same time. */
export interface Rounds {
  endpoint: Gathering<string, Endpoint | undefined>;
  page: Gathering<string, Page>;
  /** How often a queue was kicked; undefined when it is not this replica's. */
  kicks: Gathering<string, Kicks | undefined>;
  record: Gathering<RecordedAttempt, void>;
  /** Answers false when the queue was not given back. */
  release: Gathering<Release, boolean>;
  /** When the next attempt for an endpoint is due; null if nothing is pending. */
  nextAttemptAt(endpointId: string): Promise<Date | null>;
  /** Makes everything due that was pending when an endpoint was resumed. */
  resume(endpointId: string, resumption: string): Promise<void>;
  /** Ends what is pending for an endpoint that is no more, and its queue. False when something became due meanwhile. */
  bury(endpointId: string, kicks: number): Promise<boolean>;
}

export function createRounds(store: Store, owner: () => string, now: () => Date): Rounds {
  const reads = { most: 128, atOnce: 4, lingerMs: LINGER_MS };
  return {
    endpoint: new Gathering({
      ...reads,
      apply: async (ids) => {
        const found = new Map((await store.endpoints.byIds(ids)).map((endpoint) => [endpoint._id, endpoint]));
        return ids.map((id) => found.get(id));
      },
    }),
    page: new Gathering({ ...reads, apply: (ids) => readPages(store, ids, now()) }),
    kicks: new Gathering({
      ...reads,
      apply: async (ids) => {
        const kicks = await store.queues.kicksOf(ids, owner());
        return ids.map((id) => kicks.get(id));
      },
    }),
    record: new Gathering<RecordedAttempt, void>({
      most: 500,
      atOnce: 2,
      lingerMs: RECORD_LINGER_MS,
      apply: async (attempts) => {
        await store.deliveries.record(attempts);
        return attempts.map(() => undefined);
      },
    }),
    release: new Gathering({
      ...reads,
      apply: async (releases) => {
        const kept = await store.queues.release(releases, owner());
        return releases.map(({ id }) => !kept.has(id));
      },
    }),
    nextAttemptAt: async (id) => {
      const next = await store.deliveries.nextAttemptAt(id);
      if (!next || next <= now()) return next;
      return (await store.deliveries.hasten(id, now())) > 0 ? now() : next;
    },
    resume: async (id, resumption) => {
      await store.deliveries.hastenAll(id, now());
      await store.queues.resumed(id, owner(), resumption);
    },
    bury: async (id, kicks) => {
      await store.deliveries.abandon([id], now());
      return store.queues.remove(id, owner(), kicks);
    },
  };
}

/** Pages of several endpoints by one query. Those that a long queue left no room for are asked for one by one. */
async function readPages({ deliveries }: Store, ids: string[], now: Date): Promise<Page[]> {
  const limit = Math.min(ids.length * PAGE, MOST_TOGETHER);
  const found = await deliveries.due(ids, now, limit);
  const more = found.length === limit;
  const pages = new Map<string, Delivery[]>(ids.map((id) => [id, []]));
  for (const delivery of found) pages.get(delivery.endpointId)!.push(delivery);
  return Promise.all(
    ids.map(async (id) => {
      const own = pages.get(id)!;
      if (own.length > 0 || !more || ids.length === 1) return { deliveries: own, more: more && own.length > 0 };
      const alone = await deliveries.due([id], now, PAGE);
      return { deliveries: alone, more: alone.length === PAGE };
    }),
  );
}
