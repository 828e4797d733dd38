import { isDuplicateKey } from '@tautan/kit/mongo';
import type { Models, StoredLease } from './models.js';

export type LeaseStore = ReturnType<typeof leaseStore>;

export const leaseStore = ({ leases }: Models) => ({
  read: (name: string): Promise<StoredLease | null> => leases.findById(name).lean<StoredLease>(),

  /**
   * Acquires or renews a lease, unless another replica has done so since `beat` was read. `beat` is undefined if there
   * was no lease with this name. Returns whether the call succeeded.
   */
  async take(name: string, owner: string, beat: number | undefined): Promise<boolean> {
    if (beat === undefined) return insert({ _id: name, owner, beat: 0 });
    const taken = await leases.updateOne({ _id: name, beat }, { $set: { owner }, $inc: { beat: 1 } });
    return taken.matchedCount === 1;

    async function insert(lease: StoredLease): Promise<boolean> {
      try {
        await leases.insertMany([lease]);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    }
  },
});
