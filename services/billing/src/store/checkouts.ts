import type { Transaction } from '@tautan/kit/mongo';
import type { Models } from './models.js';

export type CheckoutStore = ReturnType<typeof checkoutStore>;

export const checkoutStore = ({ checkouts }: Models) => ({
  /**
   * Records a checkout session that was created for a workspace. Returns whether it is new; a known one stays
   * unchanged.
   */
  async put(id: string, workspaceId: string, at: Date, { session }: Transaction): Promise<boolean> {
    const set = { $setOnInsert: { workspaceId, at } };
    return (await checkouts.updateOne({ _id: id }, set, { upsert: true, session })).upsertedCount === 1;
  },

  /** Returns the workspace that a checkout session was created for; undefined if no such session is recorded. */
  async workspaceOf(id: string): Promise<string | undefined> {
    return (await checkouts.findById(id).lean())?.workspaceId;
  },
});
