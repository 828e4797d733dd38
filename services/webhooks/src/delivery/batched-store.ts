import type { Delivery } from '../domain/delivery.js';
import type { Endpoint } from '../domain/endpoint.js';
import { Batcher } from '@tautan/kit';
import type { RecordedAttempt } from '../store/deliveries.js';
import type { Store } from '../store/index.js';
import type { QueueVersion, Release } from '../store/queues.js';

/** Number of due deliveries to read per endpoint. One query for several endpoints can return more for some of them. */
const PAGE_SIZE = 32;
/** Maximum number of due deliveries read in one query for several endpoints. */
const MAX_PER_QUERY = 512;
const LINGER_MS = 2;
const RECORD_LINGER_MS = 5;

/** Due deliveries, and whether there may be more. */
interface Page {
  deliveries: Delivery[];
  more: boolean;
}

/** The reads and writes of all workers of a replica. Those of type `Batcher` are batched across workers. */
export interface BatchedStore {
  endpoint: Batcher<string, Endpoint | undefined>;
  page: Batcher<string, Page>;
  /** The version of a queue; undefined if this replica does not own it. */
  version: Batcher<string, QueueVersion | undefined>;
  record: Batcher<RecordedAttempt, void>;
  /** Returns false if the queue was not released. */
  release: Batcher<Release, boolean>;
  /**
   * Returns when the next attempt for an endpoint is due; null if nothing is pending. First attempts and manual retries
   * that are not due, because the clock was set back, are made due.
   */
  nextAttemptAt(endpointId: string): Promise<Date | null>;
  /**
   * Makes all pending deliveries of an endpoint due. Then clears the queue's `resumption` (an id), unless a later one
   * has replaced it.
   */
  resume(endpointId: string, resumption: string): Promise<void>;
  /**
   * Fails the pending deliveries of a deleted endpoint and deletes its queue. Returns false, and keeps the queue, if it
   * was woken since `wakeVersion` was read.
   */
  deleteQueue(endpointId: string, wakeVersion: number): Promise<boolean>;
}

export function createBatchedStore(store: Store, owner: () => string, now: () => Date): BatchedStore {
  const reads = { maxSize: 128, concurrency: 4, lingerMs: LINGER_MS };
  return {
    endpoint: new Batcher({
      ...reads,
      apply: async (ids) => {
        const found = new Map((await store.endpoints.byIds(ids)).map((endpoint) => [endpoint._id, endpoint]));
        return ids.map((id) => found.get(id));
      },
    }),
    page: new Batcher({ ...reads, apply: (ids) => readPages(store, ids, now()) }),
    version: new Batcher({
      ...reads,
      apply: async (ids) => {
        const versions = await store.queues.versionsOf(ids, owner());
        return ids.map((id) => versions.get(id));
      },
    }),
    record: new Batcher<RecordedAttempt, void>({
      maxSize: 500,
      concurrency: 2,
      lingerMs: RECORD_LINGER_MS,
      apply: async (attempts) => {
        await store.deliveries.record(attempts);
        return attempts.map(() => undefined);
      },
    }),
    release: new Batcher({
      ...reads,
      apply: async (releases) => {
        const unreleased = await store.queues.release(releases, owner());
        return releases.map(({ id }) => !unreleased.has(id));
      },
    }),
    nextAttemptAt: async (id) => {
      const next = await store.deliveries.nextAttemptAt(id);
      if (!next || next <= now()) return next;
      return (await store.deliveries.makeImmediateAttemptsDue(id, now())) > 0 ? now() : next;
    },
    resume: async (id, resumption) => {
      await store.deliveries.makeAllDue(id, now());
      await store.queues.clearResumption(id, owner(), resumption);
    },
    deleteQueue: async (id, wakeVersion) => {
      await store.deliveries.abandon([id], now());
      return store.queues.remove(id, owner(), wakeVersion);
    },
  };
}

/**
 * Reads the pages of several endpoints in one query. Endpoints that a long queue displaced from the result are read
 * individually.
 */
async function readPages({ deliveries }: Store, ids: string[], now: Date): Promise<Page[]> {
  const limit = Math.min(ids.length * PAGE_SIZE, MAX_PER_QUERY);
  const found = await deliveries.due(ids, now, limit);
  const more = found.length === limit;
  const pages = new Map<string, Delivery[]>(ids.map((id) => [id, []]));
  for (const delivery of found) pages.get(delivery.endpointId)!.push(delivery);
  return Promise.all(
    ids.map(async (id) => {
      const own = pages.get(id)!;
      if (own.length > 0 || !more || ids.length === 1) return { deliveries: own, more: more && own.length > 0 };
      const alone = await deliveries.due([id], now, PAGE_SIZE);
      return { deliveries: alone, more: alone.length === PAGE_SIZE };
    }),
  );
}
