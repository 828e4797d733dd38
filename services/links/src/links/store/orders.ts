import { newUlid } from '@tautan/kit';
import { bytesOf } from '@tautan/kit/mongo';
import type { Model } from 'mongoose';
import type { Order } from '../domain/order.js';
import { packIds, unpackIds } from '../domain/packed-ids.js';
import { SetDigest } from '../domain/set-digest.js';
import { SharedRuns } from '../domain/shared-runs.js';
import type { ListFilter, ListStore } from './lists.js';
import type { OrderChunk, StoredOrder } from '../../store/models.js';

/** Bounds of the orders that are stored. */
export interface OrderBounds {
  /** Ids of a chunk: 32 KB. */
  chunkIds: number;
  /** Time that an order is kept, milliseconds. */
  lifeMs: number;
  /** Time that an order is used for new walks while its set of links stays the same, milliseconds. */
  reuseMs: number;
  /** Orders of a workspace. */
  maxOrders: number;
  /** Ids in all orders of a workspace together, unless one order alone has more: 16 MB. */
  maxIds: number;
}

export const orderBounds: OrderBounds = {
  chunkIds: 2_000,
  lifeMs: 3_600_000,
  reuseMs: 60_000,
  maxOrders: 256,
  maxIds: 1_000_000,
};

/** Orders of lists, as they stood at one moment, so that walks through them stand still. */
export class OrderStore {
  readonly #scans = new SharedRuns<Pick<StoredOrder, '_id' | 'count'>>();

  constructor(
    private readonly orders: Model<StoredOrder>,
    private readonly chunks: Model<OrderChunk>,
    private readonly lists: ListStore,
    private readonly bounds: OrderBounds = orderBounds,
  ) {}

  /**
   * Returns an order of exactly those links of a workspace that have a filter's status and one of its tags now: a stored
   * one where its set of links is still the same, and a new one otherwise. `until` (Unix ms) bounds each query.
   */
  current(filter: ListFilter, order: Order, until: number): Promise<Pick<StoredOrder, '_id' | 'count'>> {
    // One tag alone, so that combinations of tags share the order of one of them.
    const { workspaceId, status } = filter;
    const tagIds = filter.tagIds.toSorted().slice(0, 1);
    const shared = { workspaceId, status, tagIds, terms: [] };
    const query = JSON.stringify([order.key, order.direction, status ?? null, ...tagIds]);
    return this.#scans.run(`${workspaceId} ${query}`, () => this.#scan(shared, order, query, until));
  }

  /** Up to `atMost` ids from an offset on, fewer at the end of a chunk; none where the order is gone. */
  async read(workspaceId: string, order: string, offset: number, atMost: number): Promise<string[]> {
    const { chunkIds } = this.bounds;
    const _id = chunkId(workspaceId, order, Math.floor(offset / chunkIds));
    const chunk = await this.chunks.findOne({ _id }).lean<OrderChunk>();
    const start = offset % chunkIds;
    return chunk ? unpackIds(bytesOf(chunk.ids)).slice(start, start + atMost) : [];
  }

  async #scan(filter: ListFilter, order: Order, query: string, until: number) {
    const { workspaceId } = filter;
    const packed: Buffer[] = [];
    const set = new SetDigest();
    for await (const ids of this.lists.idsAtOneMoment(filter, order, { size: this.bounds.chunkIds, until })) {
      set.add(ids);
      packed.push(packIds(ids));
    }
    const { digest, count } = set;
    const latest = await this.orders.findOne({ workspaceId, query }).sort({ _id: -1 }).lean<StoredOrder>();
    const isCurrent = latest?.digest === digest && Date.now() - latest.at.getTime() < this.bounds.reuseMs;
    return isCurrent ? latest : this.#write({ workspaceId, query, digest, count }, packed);
  }

  async #write(of: Pick<StoredOrder, 'workspaceId' | 'query' | 'digest' | 'count'>, packed: Buffer[]) {
    const at = new Date();
    const order = { _id: newUlid(), ...of, at, expireAt: new Date(at.getTime() + this.bounds.lifeMs) };
    const { _id, workspaceId, expireAt } = order;
    const chunks = packed.map((ids, i) => ({ _id: chunkId(workspaceId, _id, i), ids, expireAt }));
    if (chunks.length > 0) await this.chunks.collection.insertMany(chunks as never[]);
    // Last: an order that is found is whole.
    await this.orders.collection.insertOne(order as never);
    await this.#evict(workspaceId);
    return order;
  }

  /** Deletes the oldest orders of a workspace, until the others are within the bounds. */
  async #evict(workspaceId: string): Promise<void> {
    const { maxOrders, maxIds, chunkIds } = this.bounds;
    const stored = await this.orders.find({ workspaceId }).sort({ _id: -1 }).lean<StoredOrder[]>();
    let ids = 0;
    const evicted = stored.filter(({ count }, i) => ((ids += count) > maxIds ? i > 0 : i >= maxOrders));
    if (evicted.length === 0) return;
    const chunks = evicted.flatMap(({ _id, count }) =>
      Array.from({ length: Math.ceil(count / chunkIds) }, (_, i) => chunkId(workspaceId, _id, i)),
    );
    // First: an order that is found is whole.
    await this.orders.deleteMany({ _id: { $in: evicted.map(({ _id }) => _id) }, workspaceId });
    await this.chunks.deleteMany({ _id: { $in: chunks } });
  }
}

const chunkId = (workspaceId: string, order: string, n: number): string => `${workspaceId}/${order}/${n}`;
