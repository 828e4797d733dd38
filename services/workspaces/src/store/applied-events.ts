import { driverCollection } from '@tautan/kit/mongo';
import type { Transaction } from '@tautan/kit/mongo';
import type { Models } from './models.js';

export type AppliedEventStore = ReturnType<typeof appliedEventStore>;

export const appliedEventStore = ({ appliedEvents }: Models) => ({
  /** Returns the ids of events that have not been applied. */
  async unapplied(ids: string[], { session }: Transaction): Promise<string[]> {
    const found = await appliedEvents
      .find({ _id: { $in: ids } })
      .session(session)
      .lean();
    const known = new Set(found.map(({ _id }) => _id));
    return ids.filter((id) => !known.has(id));
  },

  /**
   * Marks events as applied, in the transaction of their effects. Rejects with a duplicate key error if one was already
   * marked.
   */
  async mark(ids: string[], at: Date, { session }: Transaction): Promise<void> {
    const rows = ids.map((_id) => ({ _id, at }));
    if (rows.length) await driverCollection(appliedEvents).insertMany(rows, { session });
  },
});
