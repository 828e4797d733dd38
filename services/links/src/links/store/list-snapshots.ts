import { newUlid } from '@tautan/kit';
import { driverCollection, bytesOf } from '@tautan/kit/mongo';
import type { Model } from 'mongoose';
import type { Order } from '../domain/order.js';
import { packIds, unpackIds } from '../domain/packed-ids.js';
import { SetDigest } from '../domain/set-digest.js';
import { SharedRuns } from '../domain/shared-runs.js';
import type { ListFilter, ListStore } from './lists.js';
import type { ListSnapshotChunk, ListSnapshot } from '../../store/models.js';

/** Bounds of list snapshots. */
export interface SnapshotBounds {
  /** Number of ids in a chunk. Each id is stored in 16 bytes. */
  chunkIds: number;
  /** Lifetime of a snapshot, milliseconds. */
  ttlMs: number;
  /** Time during which new readers share a snapshot while its set of links stays the same, milliseconds. */
  reuseMs: number;
  /** Maximum number of snapshots of a workspace. */
  maxSnapshots: number;
  /** Maximum number of ids in all snapshots of a workspace (16 MB), unless the newest snapshot alone has more. */
  maxIds: number;
}

export const snapshotBounds: SnapshotBounds = {
  chunkIds: 2_000,
  ttlMs: 3_600_000,
  reuseMs: 60_000,
  maxSnapshots: 256,
  maxIds: 1_000_000,
};

/** Snapshots of lists, so that the order does not change while a client reads the pages. */
export class ListSnapshotStore {
  readonly #scans = new SharedRuns<Pick<ListSnapshot, '_id' | 'count'>>();

  constructor(
    private readonly snapshots: Model<ListSnapshot>,
    private readonly chunks: Model<ListSnapshotChunk>,
    private readonly lists: ListStore,
    private readonly bounds: SnapshotBounds = snapshotBounds,
  ) {}

  /**
   * Returns a snapshot of the workspace's links that have the status and the first tag (by id) of `filter`, if set; its
   * other conditions are ignored. Returns the latest stored snapshot if it is younger than `reuseMs` and its set of
   * links is unchanged, else a new one. `until` (Unix ms) bounds the duration of each query.
   */
  current(filter: ListFilter, order: Order, until: number): Promise<Pick<ListSnapshot, '_id' | 'count'>> {
    // Only one tag, so that combinations of tags share a snapshot.
    const { workspaceId, status } = filter;
    const tagIds = filter.tagIds.toSorted().slice(0, 1);
    const shared = { workspaceId, status, tagIds, terms: [] };
    const query = JSON.stringify([order.key, order.direction, status ?? null, ...tagIds]);
    return this.#scans.run(`${workspaceId} ${query}`, () => this.#scan(shared, order, query, until));
  }

  /** Returns up to `limit` ids from an offset, fewer at the end of a chunk, none if the snapshot has expired. */
  async read(workspaceId: string, snapshot: string, offset: number, limit: number): Promise<string[]> {
    const { chunkIds } = this.bounds;
    const _id = chunkId(workspaceId, snapshot, Math.floor(offset / chunkIds));
    const chunk = await this.chunks.findOne({ _id }).lean<ListSnapshotChunk>();
    const start = offset % chunkIds;
    return chunk ? unpackIds(bytesOf(chunk.ids)).slice(start, start + limit) : [];
  }

  async #scan(filter: ListFilter, order: Order, query: string, until: number) {
    const { workspaceId } = filter;
    const packed: Buffer[] = [];
    const set = new SetDigest();
    for await (const ids of this.lists.snapshotIds(filter, order, { size: this.bounds.chunkIds, until })) {
      set.add(ids);
      packed.push(packIds(ids));
    }
    const { digest, count } = set;
    const latest = await this.snapshots.findOne({ workspaceId, query }).sort({ _id: -1 }).lean<ListSnapshot>();
    const isCurrent = latest?.digest === digest && Date.now() - latest.at.getTime() < this.bounds.reuseMs;
    return isCurrent ? latest : this.#write({ workspaceId, query, digest, count }, packed);
  }

  async #write(of: Pick<ListSnapshot, 'workspaceId' | 'query' | 'digest' | 'count'>, packed: Buffer[]) {
    const at = new Date();
    const snapshot = { _id: newUlid(), ...of, at, expireAt: new Date(at.getTime() + this.bounds.ttlMs) };
    const { _id, workspaceId, expireAt } = snapshot;
    const chunks = packed.map((ids, i) => ({ _id: chunkId(workspaceId, _id, i), ids, expireAt }));
    if (chunks.length > 0) await driverCollection(this.chunks).insertMany(chunks);
    // Written last, so that a snapshot that is found is complete.
    await driverCollection(this.snapshots).insertOne(snapshot);
    await this.#evict(workspaceId);
    return snapshot;
  }

  /** Deletes the oldest snapshots of a workspace until the others are within the bounds. */
  async #evict(workspaceId: string): Promise<void> {
    const { maxSnapshots, maxIds, chunkIds } = this.bounds;
    const stored = await this.snapshots.find({ workspaceId }).sort({ _id: -1 }).lean<ListSnapshot[]>();
    let ids = 0;
    const evicted = stored.filter(({ count }, i) => ((ids += count) > maxIds ? i > 0 : i >= maxSnapshots));
    if (evicted.length === 0) return;
    const chunks = evicted.flatMap(({ _id, count }) =>
      Array.from({ length: Math.ceil(count / chunkIds) }, (_, i) => chunkId(workspaceId, _id, i)),
    );
    // Deleted first, so that a snapshot that is found is complete.
    await this.snapshots.deleteMany({ _id: { $in: evicted.map(({ _id }) => _id) }, workspaceId });
    await this.chunks.deleteMany({ _id: { $in: chunks } });
  }
}

const chunkId = (workspaceId: string, snapshot: string, n: number): string => `${workspaceId}/${snapshot}/${n}`;
