import { firstUlidAt } from '@tautan/kit';
import { driverCollection } from '@tautan/kit/mongo';
import type { ClientSession, mongo } from 'mongoose';
import type { AppliedBatch, Models } from '../../store/models.js';

/** Maximum number of ids per query. */
const IDS_PER_QUERY = 500;

/** Markers of the batches of clicks that were applied. */
export class AppliedBatchStore {
  readonly #markers: mongo.Collection<AppliedBatch>;

  constructor({ appliedBatches }: Pick<Models, 'appliedBatches'>) {
    this.#markers = driverCollection(appliedBatches);
  }

  /** Returns those of the given ids whose batches were applied, as seen by the session. */
  async appliedOf(ids: string[], session?: ClientSession): Promise<Set<string>> {
    const applied = new Set<string>();
    for (let at = 0; at < ids.length; at += IDS_PER_QUERY) {
      const filter = { _id: { $in: ids.slice(at, at + IDS_PER_QUERY) } };
      for await (const { _id } of this.#markers.find(filter, session ? { session } : {})) applied.add(_id);
    }
    return applied;
  }

  /**
   * Returns the ids of the applied batches that were created at or after `from` and before `to` (Unix ms). Rejects once
   * `signal` is aborted.
   */
  async createdBetween(from: number, to: number, signal?: AbortSignal): Promise<Set<string>> {
    const filter = { _id: { $gte: firstUlidAt(from), $lt: firstUlidAt(to) } };
    const ids = new Set<string>();
    for await (const { _id } of this.#markers.find(filter, { projection: { _id: 1 } })) {
      signal?.throwIfAborted();
      ids.add(_id);
    }
    return ids;
  }

  /** Marks batches as applied. Rejects with a duplicate key error if one of them is already marked. */
  async mark(ids: string[], session: ClientSession): Promise<void> {
    const at = new Date();
    await this.#markers.insertMany(
      ids.map((_id) => ({ _id, at })),
      { session },
    );
  }

  /**
   * Starts the snapshot of a transaction now. The database takes the snapshot at the first read, so this method reads
   * from the collection.
   */
  async startSnapshot(session: ClientSession): Promise<void> {
    await this.#markers.findOne({}, { session });
  }
}
