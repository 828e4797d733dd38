import { newUlid } from '@tautan/kit';
import type { ClientSession } from 'mongoose';
import type { Models, Queue } from './models.js';

export type QueueStore = ReturnType<typeof queueStore>;
export type { Queue };
export type Kicks = Pick<Queue, 'kicks' | 'resumption'>;

/** A queue to be given back, unless something became due since `kicks` was read, where that is given. */
export interface Release {
  id: string;
  kicks: number | undefined;
  /** When its next delivery is due; null when there is none. */
  dueAt: Date | null;
}

export const queueStore = ({ queues }: Models) => ({
  async insert(endpointIds: string[], session: ClientSession): Promise<void> {
    const created = endpointIds.map((_id): Queue => ({ _id, kicks: 0, owner: null, failing: false, failingSince: null })); // prettier-ignore
    await queues.collection.insertMany(created as never[], { session });
  },

  /** Says that deliveries to endpoints are due. Answers how many of the queues exist. */
  async kick(endpointIds: string[], at: Date, session?: ClientSession): Promise<number> {
    const { matchedCount } = await queues.collection.updateMany(
      { _id: { $in: endpointIds as never[] } },
      { $min: { dueAt: at }, $inc: { kicks: 1 } },
      { ...(session && { session }) },
    );
    return matchedCount;
  },

  /** Forgets that an endpoint has failed, and makes everything due that is pending for it. */
  async restart(endpointId: string, at: Date, session: ClientSession): Promise<void> {
    const set = { failing: false, failingSince: null, resumption: newUlid() };
    await queues.collection.updateOne(
      { _id: endpointId as never },
      { $min: { dueAt: at }, $inc: { kicks: 1 }, $set: set },
      { session },
    );
  },

  /** Notes that what was pending at a resumption is due now. */
  async resumed(id: string, owner: string, resumption: string): Promise<void> {
    await queues.collection.updateOne({ _id: id as never, owner, resumption }, { $unset: { resumption: 1 } });
  },

  /** Which of some queues exist. */
  async existing(endpointIds: string[]): Promise<Set<string>> {
    const found = await queues
      .find({ _id: { $in: endpointIds } })
      .select({ _id: 1 })
      .lean<Pick<Queue, '_id'>[]>();
    return new Set(found.map(({ _id }) => _id));
  },

  /** Queues that nobody works on and that are due, the longest due first. */
  async claimable(failing: boolean, now: Date, limit: number): Promise<string[]> {
    const found = await queues
      .find({ owner: null, failing, dueAt: { $lte: now } })
      .sort({ dueAt: 1 })
      .limit(limit)
      .select({ _id: 1 })
      .lean<Pick<Queue, '_id'>[]>();
    return found.map(({ _id }) => _id);
  },

  /** Takes those of some queues that nobody works on, and answers them. */
  async claim(ids: string[], owner: string): Promise<Queue[]> {
    await queues.collection.updateMany({ _id: { $in: ids as never[] }, owner: null }, { $set: { owner } });
    return queues.find({ _id: { $in: ids }, owner }).lean<Queue[]>();
  },

  /** What a replica has. */
  ownedBy: (owner: string): Promise<Queue[]> => queues.find({ owner }).lean<Queue[]>().exec(),

  /** Returns every replica that owns a queue. */
  owners: (): Promise<string[]> => queues.distinct('owner', { owner: { $gt: '' } }).exec(),

  /** Makes scheduled queues due, so that each is checked once. */
  async recheck(now: Date): Promise<void> {
    await queues.collection.updateMany(
      { owner: null, failing: { $in: [false, true] }, dueAt: { $gt: now } },
      { $set: { dueAt: now } },
    );
  },

  /** How often each of a replica's queues was kicked, and which resumption it waits for. */
  async kicksOf(ids: string[], owner: string): Promise<Map<string, Kicks>> {
    const found = await queues
      .find({ _id: { $in: ids }, owner })
      .select({ kicks: 1, resumption: 1 })
      .lean<(Kicks & Pick<Queue, '_id'>)[]>();
    return new Map(found.map((queue) => [queue._id, queue]));
  },

  /** Gives queues back. Answers those that were not, because something became due meanwhile. */
  async release(releases: Release[], owner: string): Promise<Set<string>> {
    const writes = releases.map(({ id, kicks, dueAt }) => ({
      updateOne: {
        filter: { _id: id as never, owner, ...(kicks !== undefined && { kicks }) },
        update: dueAt ? { $set: { owner: null, dueAt } } : { $set: { owner: null }, $unset: { dueAt: 1 } },
      },
    }));
    const { matchedCount } = await queues.collection.bulkWrite(writes, { ordered: false });
    if (matchedCount === releases.length) return new Set();
    return new Set(
      (await this.kicksOf(releases.map(({ id }) => id), owner)).keys(), // prettier-ignore
    );
  },

  /** Releases every queue of some replicas, due at once. Returns how many. */
  async releaseAll(owners: string[], now: Date): Promise<number> {
    const released = await queues.collection.updateMany(
      { owner: { $in: owners } },
      { $set: { owner: null }, $min: { dueAt: now } },
    );
    return released.matchedCount;
  },

  /** Notes since when all attempts fail; null for a success. */
  async noteFailing(id: string, owner: string, failingSince: Date | null): Promise<void> {
    const set = { failing: failingSince !== null, failingSince };
    await queues.collection.updateOne({ _id: id as never, owner }, { $set: set });
  },

  /** Removes the queue of an endpoint that is no more. Answers false when something became due meanwhile. */
  async remove(id: string, owner: string, kicks: number): Promise<boolean> {
    return (await queues.collection.deleteOne({ _id: id as never, owner, kicks })).deletedCount === 1;
  },

  /** For how long the longest waiting queue has been due without anyone working on it, milliseconds. */
  async lag(now: Date): Promise<number> {
    const waits = await Promise.all(
      [false, true].map(async (failing) => {
        const first = await queues.findOne({ owner: null, failing, dueAt: { $lte: now } }).sort({ dueAt: 1 }).lean<Queue>(); // prettier-ignore
        return first?.dueAt ? now.getTime() - first.dueAt.getTime() : 0;
      }),
    );
    return Math.max(...waits);
  },
});
