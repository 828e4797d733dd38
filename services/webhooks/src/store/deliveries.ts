import { driverCollection, isDuplicateKey } from '@tautan/kit/mongo';
import type { ClientSession, mongo } from 'mongoose';
import type { DeliveryFilter } from '../domain/cursor.js';
import type { Delivery, DeliverySummary } from '../domain/delivery.js';
import type { DeliveryState } from '../domain/schedule.js';
import type { Models } from './models.js';

export type DeliveryStore = ReturnType<typeof deliveryStore>;

const LIST_TIMEOUT_MS = 2_500;
/** Maximum number of attempts in the attempt log; older ones are dropped. Bounds the size of the document. */
const MAX_LOGGED_ATTEMPTS = 200;
const withoutLargeFields = { body: 0, attemptLog: 0 } as const;

/** A delivery attempt that is to be recorded, and the state of the delivery after it. */
export interface RecordedAttempt {
  /** Id of the delivery. */
  id: string;
  endpointId: string;
  state: DeliveryState;
}

interface BulkFailure {
  writeErrors?: { code?: number } | { code?: number }[];
}
/** Returns whether all errors of an insertion are duplicate keys. */
function onlyDuplicates(error: unknown): boolean {
  const { writeErrors } = error as BulkFailure;
  const all = Array.isArray(writeErrors) ? writeErrors : writeErrors ? [writeErrors] : [];
  return isDuplicateKey(error) && all.every(({ code }) => code === 11000);
}

export const deliveryStore = ({ deliveries }: Models) => ({
  /**
   * Inserts deliveries. Without a session, ignores those that exist; with one, rejects with a duplicate key error,
   * because the transaction is aborted.
   */
  async insertNew(created: Delivery[], session?: ClientSession): Promise<void> {
    // Use the driver directly: the documents are built here, and validating thousands per second is not necessary.
    await driverCollection(deliveries)
      .insertMany(created, { ordered: false, ...(session && { session }) })
      .catch((error: unknown) => {
        if (session || !onlyDuplicates(error)) throw error;
      });
  },

  byId: (id: string, session: ClientSession | null = null): Promise<Delivery | null> =>
    deliveries.findById(id).session(session).lean<Delivery>().exec(),

  /** Returns up to `limit` deliveries that follow the id `after`, newest first. */
  page(
    { endpointId, ...filter }: DeliveryFilter,
    after: string | undefined,
    limit: number,
  ): Promise<DeliverySummary[]> {
    const filters = Object.entries({ ...filter, endpointId }).filter(([, value]) => value !== undefined);
    return deliveries
      .find({ ...Object.fromEntries(filters), ...(after !== undefined && { _id: { $lt: after } }) })
      .sort({ _id: -1 })
      .limit(limit)
      .maxTimeMS(LIST_TIMEOUT_MS)
      .select(withoutLargeFields)
      .lean<DeliverySummary[]>()
      .exec();
  },

  /** Returns due deliveries of the given endpoints, the longest overdue first. */
  due: (endpointIds: string[], now: Date, limit: number): Promise<Delivery[]> =>
    deliveries
      .find({ endpointId: { $in: endpointIds }, status: 'pending', nextAttemptAt: { $lte: now } })
      .sort({ nextAttemptAt: 1 })
      .limit(limit)
      .batchSize(limit)
      .select({ attemptLog: 0 })
      .lean<Delivery[]>()
      .exec(),

  /**
   * Makes first attempts and manual retries due if the clock was set back after they were scheduled. Returns their
   * number.
   */
  async makeImmediateAttemptsDue(endpointId: string, now: Date): Promise<number> {
    const { modifiedCount } = await deliveries.updateMany(
      { endpointId, status: 'pending', nextAttemptAt: { $gt: now }, $or: [{ attempts: 0 }, { manual: true }] },
      { $set: { nextAttemptAt: now } },
    );
    return modifiedCount;
  },

  /** Makes all pending deliveries of an endpoint due. */
  async makeAllDue(endpointId: string, now: Date): Promise<void> {
    await deliveries.updateMany(
      { endpointId, status: 'pending', nextAttemptAt: { $gt: now } },
      { $set: { nextAttemptAt: now } },
    );
  },

  /** Returns when the next attempt for an endpoint is due; null if nothing is pending. */
  async nextAttemptAt(endpointId: string): Promise<Date | null> {
    const next = await deliveries
      .findOne({ endpointId, status: 'pending' })
      .sort({ nextAttemptAt: 1 })
      .select({ nextAttemptAt: 1 })
      .lean<Pick<Delivery, 'nextAttemptAt'>>();
    return next?.nextAttemptAt ?? null;
  },

  /** Records attempts. Ignores attempts that were recorded before, and deliveries that are no longer pending. */
  async record(attempts: RecordedAttempt[]): Promise<void> {
    const writes = attempts.map(
      ({ id, endpointId, state: { attempt, ...set } }): mongo.AnyBulkWriteOperation<Delivery> => ({
        updateOne: {
          filter: { _id: id, endpointId, status: 'pending', attempts: attempt.n - 1 },
          update: { $set: set, $push: { attemptLog: { $each: [attempt], $slice: -MAX_LOGGED_ATTEMPTS } } },
        },
      }),
    );
    await driverCollection(deliveries).bulkWrite(writes, { ordered: false });
  },

  /** Makes a succeeded or failed delivery pending again. Returns false if it is still pending. */
  async reopen(
    { id, endpointId }: { id: string; endpointId: string },
    { operationId, traceparent }: { operationId: string | null; traceparent: string | undefined },
    now: Date,
    session: ClientSession,
  ): Promise<boolean> {
    const { modifiedCount } = await deliveries.updateOne(
      { _id: id, endpointId, status: { $in: ['failed', 'succeeded'] } },
      {
        $set: {
          status: 'pending',
          manual: true,
          retryOperationId: operationId,
          nextAttemptAt: now,
          completedAt: null,
          ...(traceparent !== undefined && { traceparent }),
        },
      },
      { session },
    );
    return modifiedCount === 1;
  },

  /** Marks the pending deliveries of deleted endpoints as failed. */
  async abandon(endpointIds: string[], now: Date): Promise<void> {
    await deliveries.updateMany(
      { endpointId: { $in: endpointIds }, status: 'pending' },
      { $set: { status: 'failed', nextAttemptAt: null, completedAt: now } },
    );
  },

  /** Returns the number of pending deliveries of an endpoint, counting at most `upTo`. */
  pendingCount: (endpointId: string, upTo: number): Promise<number> =>
    deliveries.countDocuments({ endpointId, status: 'pending' }).limit(upTo).exec(),

  /** Returns the number of all pending deliveries, counting at most `upTo`. */
  depth: (upTo: number): Promise<number> =>
    deliveries.countDocuments({ status: 'pending' }).hint('pending').limit(upTo).exec(),
});
