import type { Models } from './models.js';

export type ReplicaStore = ReturnType<typeof replicaStore>;

/**
 * Replicas that hold a lease. A replica's id identifies one lease: after losing the lease, the process registers under
 * another id.
 */
export const replicaStore = ({ replicas }: Models) => ({
  /** Registers a replica. Unless `instance` is null, ends the lease of the previous process with this `instance`. */
  async register(id: string, instance: string | null): Promise<void> {
    if (instance !== null) await replicas.deleteMany({ instance });
    await replicas.insertMany([{ _id: id, instance, beat: 0 }]);
  },

  /** Increments a replica's heartbeat counter. Returns whether the replica is still registered. */
  async advance(id: string): Promise<boolean> {
    return (await replicas.updateOne({ _id: id }, { $inc: { beat: 1 } })).matchedCount === 1;
  },

  /** Returns the heartbeat counters of all replicas, keyed by replica id. */
  async beats(): Promise<Map<string, number>> {
    // The collection holds one small document per running process.
    const all = await replicas.find({ _id: { $gt: '' } }).lean();
    return new Map(all.map(({ _id, beat }) => [_id, beat]));
  },

  /** Ends a replica's lease; with `beat`, only if its counter has this value. Returns whether the lease was ended. */
  async remove(id: string, beat?: number): Promise<boolean> {
    return (await replicas.deleteOne({ _id: id, ...(beat !== undefined && { beat }) })).deletedCount === 1;
  },
});
