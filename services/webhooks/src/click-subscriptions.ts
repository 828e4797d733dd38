import { LRUCache } from 'lru-cache';
import { subscribes } from './domain/endpoint.js';
import { clickTypes } from './domain/event-types.js';
import type { Store } from './store/index.js';
import type { Subscription } from './store/endpoints.js';

const MOST_WORKSPACES = 50_000;
/** For what was not told: notifications can be lost. */
const TTL_MS = 5_000;
const COUNT_TTL_MS = 2_000;

/**
 * Which endpoints want the clicks of which workspaces, remembered, so that clicks of workspaces without one cost no
 * look-up; and how many clicks each has yet to receive, so that they are bounded.
 */
export class ClickSubscriptions {
  readonly #byWorkspace = new LRUCache<string, Subscription[]>({ max: MOST_WORKSPACES, ttl: TTL_MS });
  readonly #pending = new LRUCache<string, Promise<{ count: number }>>({ max: MOST_WORKSPACES, ttl: COUNT_TTL_MS });
  #forgotten = 0;

  constructor(
    private readonly store: Store,
    private readonly backlog: number,
  ) {}

  /** Reads a workspace's endpoints anew. */
  forget(workspaceId: string): void {
    this.#byWorkspace.delete(workspaceId);
    this.#forgotten += 1;
  }

  /** The endpoints of workspaces that subscribe to clicks or scans. */
  async of(workspaceIds: string[]): Promise<Subscription[]> {
    const unknown = workspaceIds.filter((id) => !this.#byWorkspace.has(id));
    const forgotten = this.#forgotten;
    const read = unknown.length > 0 ? await this.store.endpoints.subscriptions(unknown) : [];
    const wanting = read.filter((endpoint) => clickTypes.some((type) => subscribes(endpoint, type)));
    const fresh = new Map(unknown.map((id) => [id, wanting.filter(({ workspaceId }) => workspaceId === id)]));
    // What changed during the look is looked at anew.
    if (forgotten === this.#forgotten) for (const [id, endpoints] of fresh) this.#byWorkspace.set(id, endpoints);
    return workspaceIds.flatMap((id) => fresh.get(id) ?? this.#byWorkspace.get(id) ?? []);
  }

  /** How many more deliveries an endpoint has room for; takes `wanted` of them, or what there is. */
  async take(endpointId: string, wanted: number): Promise<number> {
    const pending = await this.#pendingOf(endpointId);
    const taken = Math.max(0, Math.min(wanted, this.backlog - pending.count));
    pending.count += taken;
    return taken;
  }

  /** Counted once for all that ask at one time, so that together they take no more than there is. */
  #pendingOf(endpointId: string): Promise<{ count: number }> {
    const known = this.#pending.get(endpointId);
    if (known) return known;
    const counted = this.store.deliveries.pendingCount(endpointId, this.backlog).then((count) => ({ count }));
    counted.catch(() => this.#pending.delete(endpointId));
    this.#pending.set(endpointId, counted);
    return counted;
  }
}
