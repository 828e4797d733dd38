import { driverCollection } from '@tautan/kit/mongo';
import { newUlid } from '@tautan/kit';
import type { ClientSession, mongo } from 'mongoose';
import type { Models, Queue } from './models.js';

export type QueueStore = ReturnType<typeof queueStore>;
export type { Queue };
/** The state of a queue by which a worker detects changes. */
export interface QueueVersion {
  /** Incremented by each wake-up: each call of `markDue` or `restart`. */
  wakeVersion: number;
  resumption: string | undefined;
}

/** A queue to release. With `wakeVersion`, it is released only if there was no wake-up since that version. */
export interface Release {
  id: string;
  wakeVersion: number | undefined;
  /** When its next delivery is due; null if nothing is pending, or if the endpoint is disabled. */
  dueAt: Date | null;
}

export const queueStore = ({ queues }: Models) => ({
  async insert(endpointIds: string[], session: ClientSession): Promise<void> {
    const created = endpointIds.map((_id): Queue => ({
      _id,
      wakeVersion: 0,
      owner: null,
      failing: false,
      failingSince: null,
    }));
    await driverCollection(queues).insertMany(created, { session });
  },

  /** Marks the endpoints' queues as due. Returns the number of queues found. */
  async markDue(endpointIds: string[], at: Date, session?: ClientSession): Promise<number> {
    const { matchedCount } = await driverCollection(queues).updateMany(
      { _id: { $in: endpointIds } },
      { $min: { dueAt: at }, $inc: { wakeVersion: 1 } },
      { ...(session && { session }) },
    );
    return matchedCount;
  },

  /** Resets the failures of an endpoint. Sets a new resumption, so that a worker makes all pending deliveries due. */
  async restart(endpointId: string, at: Date, session: ClientSession): Promise<void> {
    const set = { failing: false, failingSince: null, resumption: newUlid() };
    await driverCollection(queues).updateOne(
      { _id: endpointId },
      { $min: { dueAt: at }, $inc: { wakeVersion: 1 }, $set: set },
      { session },
    );
  },

  /** Clears a resumption, after the deliveries that were pending have been made due. */
  async clearResumption(id: string, owner: string, resumption: string): Promise<void> {
    await driverCollection(queues).updateOne({ _id: id, owner, resumption }, { $unset: { resumption: 1 } });
  },

  /** Returns the ids of the given queues that exist. */
  async existing(endpointIds: string[]): Promise<Set<string>> {
    const found = await queues
      .find({ _id: { $in: endpointIds } })
      .select({ _id: 1 })
      .lean<Pick<Queue, '_id'>[]>();
    return new Set(found.map(({ _id }) => _id));
  },

  /** Returns whether any unowned queue is due. */
  async isAnyDue(now: Date): Promise<boolean> {
    const dueAt = await this.nextDueAt();
    return dueAt !== undefined && dueAt <= now;
  },

  /** Returns when the next unowned queue is due. */
  async nextDueAt(): Promise<Date | undefined> {
    const next = await queues
      .findOne({ owner: null, failing: { $in: [false, true] }, dueAt: { $gte: new Date(0) } })
      .sort({ dueAt: 1 })
      .select({ dueAt: 1 })
      .lean<Pick<Queue, 'dueAt'>>();
    return next?.dueAt;
  },

  /** Returns whether any replica owns a queue. */
  isAnyOwned: async (): Promise<boolean> =>
    (await queues
      .findOne({ owner: { $gt: '' } })
      .select({ _id: 1 })
      .lean()) !== null,

  /** Returns due queues without an owner, the longest due first. */
  async claimable(failing: boolean, now: Date, limit: number): Promise<string[]> {
    const found = await queues
      .find({ owner: null, failing, dueAt: { $lte: now } })
      .sort({ dueAt: 1 })
      .limit(limit)
      .select({ _id: 1 })
      .lean<Pick<Queue, '_id'>[]>();
    return found.map(({ _id }) => _id);
  },

  /** Claims those of the given queues that have no owner. Returns all given queues that `owner` now owns. */
  async claim(ids: string[], owner: string): Promise<Queue[]> {
    await driverCollection(queues).updateMany({ _id: { $in: ids }, owner: null }, { $set: { owner } });
    return queues.find({ _id: { $in: ids }, owner }).lean<Queue[]>();
  },

  /** Returns the queues of a replica. */
  ownedBy: (owner: string): Promise<Queue[]> => queues.find({ owner }).lean<Queue[]>().exec(),

  /** Returns all replicas that own queues. */
  owners: (): Promise<string[]> => queues.distinct('owner', { owner: { $gt: '' } }).exec(),

  /**
   * Sets the due time of unowned queues to `now` where the due time is later. A worker then checks each of these queues
   * once for due deliveries.
   */
  async recheck(now: Date): Promise<void> {
    await driverCollection(queues).updateMany(
      { owner: null, failing: { $in: [false, true] }, dueAt: { $gt: now } },
      { $set: { dueAt: now } },
    );
  },

  /** Returns the versions of those of the given queues that the replica owns, by endpoint id. */
  async versionsOf(ids: string[], owner: string): Promise<Map<string, QueueVersion>> {
    const found = await queues
      .find({ _id: { $in: ids }, owner })
      .select({ wakeVersion: 1, resumption: 1 })
      .lean<Pick<Queue, '_id' | 'wakeVersion' | 'resumption'>[]>();
    return new Map(found.map(({ _id, wakeVersion, resumption }) => [_id, { wakeVersion, resumption }]));
  },

  /** Releases queues. Returns the ids of those that remain owned because of a wake-up since `wakeVersion`. */
  async release(releases: Release[], owner: string): Promise<Set<string>> {
    const writes = releases.map(({ id, wakeVersion, dueAt }): mongo.AnyBulkWriteOperation<Queue> => ({
      updateOne: {
        filter: { _id: id, owner, ...(wakeVersion !== undefined && { wakeVersion }) },
        update: dueAt ? { $set: { owner: null, dueAt } } : { $set: { owner: null }, $unset: { dueAt: 1 } },
      },
    }));
    const { matchedCount } = await driverCollection(queues).bulkWrite(writes, { ordered: false });
    if (matchedCount === releases.length) return new Set();
    return new Set(
      (
        await this.versionsOf(
          releases.map(({ id }) => id),
          owner,
        )
      ).keys(),
    );
  },

  /** Releases all queues of the given replicas, and makes them due immediately. Returns their number. */
  async releaseAll(owners: string[], now: Date): Promise<number> {
    const released = await driverCollection(queues).updateMany(
      { owner: { $in: owners } },
      { $set: { owner: null }, $min: { dueAt: now } },
    );
    return released.matchedCount;
  },

  /** Returns when the current series of failures began; null after a success, a resumption or a change of the URL. */
  async failingSince(id: string): Promise<Date | null> {
    const queue = await queues.findById(id).select({ failingSince: 1 }).lean<Pick<Queue, 'failingSince'>>();
    return queue?.failingSince ?? null;
  },

  /** Records when the current series of failures began; null after a success. */
  async recordFailing(id: string, owner: string, failingSince: Date | null): Promise<void> {
    const set = { failing: failingSince !== null, failingSince };
    await driverCollection(queues).updateOne({ _id: id, owner }, { $set: set });
  },

  /** Deletes the queue of a deleted endpoint. Returns false if there was a wake-up since `wakeVersion`. */
  async remove(id: string, owner: string, wakeVersion: number): Promise<boolean> {
    return (await driverCollection(queues).deleteOne({ _id: id, owner, wakeVersion })).deletedCount === 1;
  },

  /** Returns for how long the longest-waiting queue has been due without an owner, in milliseconds. */
  async lag(now: Date): Promise<number> {
    const waits = await Promise.all(
      [false, true].map(async (failing) => {
        const first = await queues
          .findOne({ owner: null, failing, dueAt: { $lte: now } })
          .sort({ dueAt: 1 })
          .lean<Queue>();
        return first?.dueAt ? now.getTime() - first.dueAt.getTime() : 0;
      }),
    );
    return Math.max(...waits);
  },
});
