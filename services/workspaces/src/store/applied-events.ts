import type { Transaction } from '@tautan/kit/mongo';
import type { Models } from './models.js';

export type AppliedEventStore = ReturnType<typeof appliedEventStore>;

export const appliedEventStore = ({ appliedEvents }: Models) => ({
  /** Notes in the transaction of their effects that events were applied. Answers those that were not before. */
  async mark(ids: string[], at: Date, { session }: Transaction): Promise<string[]> {
    const found = await appliedEvents
      .find({ _id: { $in: ids } })
      .session(session)
      .lean();
    const known = new Set(found.map(({ _id }) => _id));
    const fresh = ids.filter((id) => !known.has(id));
    const rows = fresh.map((_id) => ({ _id, at }));
    if (rows.length) await appliedEvents.insertMany(rows, { session });
    return fresh;
  },
});
