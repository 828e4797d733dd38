import type { Models } from './models.js';

export type CheckoutStore = ReturnType<typeof checkoutStore>;

export const checkoutStore = ({ checkouts }: Models) => ({
  /** Remembers a session that was created for a workspace. A known one stays as it is. */
  async put(id: string, workspaceId: string, at: Date): Promise<void> {
    await checkouts.updateOne({ _id: id }, { $setOnInsert: { workspaceId, at } }, { upsert: true });
  },

  /** Returns the workspace that a session was created for; undefined for one that was not created here. */
  async workspaceOf(id: string): Promise<string | undefined> {
    return (await checkouts.findById(id).lean())?.workspaceId;
  },
});
