import { maxEntries } from '@tautan/kit';
import { LRUCache } from 'lru-cache';
import { subscribes } from './domain/endpoint.js';
import { clickTypes } from './domain/event-types.js';
import type { Store } from './store/index.js';
import type { Subscription } from './store/endpoints.js';

const MAX_ENTRIES = 50_000;
/** Upper bound on staleness, because notifications can be lost. */
const TTL_MS = 5_000;
const COUNT_TTL_MS = 2_000;

/**
 * Caches which endpoints subscribe to the clicks of which workspaces, so that clicks without subscribers cost no query.
 * Also limits how many clicks are queued for an endpoint, so that they do not raise the number of its pending
 * deliveries (of all event types) above `maxPending`.
 */
export class ClickSubscriptions {
  readonly #byWorkspace = new LRUCache<string, Subscription[]>({ ...maxEntries(MAX_ENTRIES), ttl: TTL_MS });
  readonly #pending = new LRUCache<string, Promise<{ count: number }>>({
    ...maxEntries(MAX_ENTRIES),
    ttl: COUNT_TTL_MS,
  });
  #invalidations = 0;

  constructor(
    private readonly store: Store,
    private readonly maxPending: number,
  ) {}

  /** Invalidates a workspace's cache entry. */
  invalidate(workspaceId: string): void {
    this.#byWorkspace.delete(workspaceId);
    this.#invalidations += 1;
  }

  /** Returns the endpoints that subscribe to clicks or scans and belong to one of the workspaces. */
  async of(workspaceIds: string[]): Promise<Subscription[]> {
    // Read now, because entries can expire during the query.
    const known = new Map(workspaceIds.map((id) => [id, this.#byWorkspace.get(id)] as const));
    const unknown = workspaceIds.filter((id) => known.get(id) === undefined);
    const invalidations = this.#invalidations;
    const read = unknown.length > 0 ? await this.store.endpoints.subscriptions(unknown) : [];
    const subscribed = read.filter((endpoint) => clickTypes.some((type) => subscribes(endpoint, type)));
    const fresh = new Map(unknown.map((id) => [id, subscribed.filter(({ workspaceId }) => workspaceId === id)]));
    // Do not cache a result that was invalidated while it was read.
    if (invalidations === this.#invalidations)
      for (const [id, endpoints] of fresh) this.#byWorkspace.set(id, endpoints);
    return workspaceIds.flatMap((id) => fresh.get(id) ?? known.get(id) ?? []);
  }

  /**
   * Calls `add` with the number of deliveries, up to `wanted`, that an endpoint's backlog has room for, and returns
   * that number. The room is reserved, and released if `add` rejects.
   */
  async reserve(endpointId: string, wanted: number, add: (count: number) => Promise<void>): Promise<number> {
    const pending = await this.#pendingOf(endpointId);
    const reserved = Math.max(0, Math.min(wanted, this.maxPending - pending.count));
    pending.count += reserved;
    try {
      await add(reserved);
    } catch (error) {
      pending.count -= reserved;
      throw error;
    }
    return reserved;
  }

  /**
   * Returns the number of pending deliveries of an endpoint. Concurrent callers share one count, so that together they
   * do not exceed `maxPending`.
   */
  #pendingOf(endpointId: string): Promise<{ count: number }> {
    const known = this.#pending.get(endpointId);
    if (known) return known;
    const counted = this.store.deliveries.pendingCount(endpointId, this.maxPending).then((count) => ({ count }));
    counted.catch(() => this.#pending.delete(endpointId));
    this.#pending.set(endpointId, counted);
    return counted;
  }
}
