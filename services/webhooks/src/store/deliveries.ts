import { isDuplicateKey } from '@tautan/kit/mongo';
import type { ClientSession } from 'mongoose';
import type { DeliveryFilter } from '../domain/cursor.js';
import type { Delivery, DeliverySummary } from '../domain/delivery.js';
import type { Standing } from '../domain/schedule.js';
import type { Models } from './models.js';

export type DeliveryStore = ReturnType<typeof deliveryStore>;

const LIST_TIMEOUT_MS = 2_500;
/** Attempts that the log keeps: the last ones, should somebody retry by hand without end. */
const LOG_LENGTH = 200;
const first = { body: 0, attemptLog: 0 } as const;

/** An attempt of a delivery, to be written down. */
export interface RecordedAttempt {
  id: string;
  endpointId: string;
  standing: Standing;
}

interface BulkFailure {
  writeErrors?: { code?: number } | { code?: number }[];
}
/** Whether all that failed of an insertion was there already. */
function onlyDuplicates(error: unknown): boolean {
  const { writeErrors } = error as BulkFailure;
  const all = Array.isArray(writeErrors) ? writeErrors : writeErrors ? [writeErrors] : [];
  return isDuplicateKey(error) && all.every(({ code }) => code === 11000);
}

export const deliveryStore = ({ deliveries }: Models) => ({
  /** Adds those of the deliveries that are not there yet. */
  async insertNew(made: Delivery[], session?: ClientSession): Promise<void> {
    // Straight to the driver: the documents are made here, and thousands a second need no schema.
    await deliveries.collection
      .insertMany(made as never[], { ordered: false, ...(session && { session }) })
      .catch((error: unknown) => {
        if (session || !onlyDuplicates(error)) throw error;
      });
  },

  byId: (id: string, session: ClientSession | null = null): Promise<Delivery | null> =>
    deliveries.findById(id).session(session).lean<Delivery>().exec(),

  /** Deliveries of a list behind one of them, newest first. */
  page(
    { endpointId, ...filter }: DeliveryFilter,
    after: string | undefined,
    limit: number,
  ): Promise<DeliverySummary[]> {
    const given = Object.entries({ ...filter, endpointId }).filter(([, value]) => value !== undefined);
    return deliveries
      .find({ ...Object.fromEntries(given), ...(after !== undefined && { _id: { $lt: after } }) })
      .sort({ _id: -1 })
      .limit(limit)
      .maxTimeMS(LIST_TIMEOUT_MS)
      .select(first)
      .lean<DeliverySummary[]>()
      .exec();
  },

  /** Deliveries of some endpoints that are due, the longest due first. */
  due: (endpointIds: string[], now: Date, limit: number): Promise<Delivery[]> =>
    deliveries
      .find({ endpointId: { $in: endpointIds }, status: 'pending', nextAttemptAt: { $lte: now } })
      .sort({ nextAttemptAt: 1 })
      .limit(limit)
      .batchSize(limit)
      .select({ attemptLog: 0 })
      .lean<Delivery[]>()
      .exec(),

  /** Makes first attempts and manual retries due that a clock set back has put into the future. Returns how many. */
  async hasten(endpointId: string, now: Date): Promise<number> {
    const { modifiedCount } = await deliveries.updateMany(
      { endpointId, status: 'pending', nextAttemptAt: { $gt: now }, $or: [{ attempts: 0 }, { manual: true }] },
      { $set: { nextAttemptAt: now } },
    );
    return modifiedCount;
  },

  /** Makes everything due that is pending for an endpoint. */
  async hastenAll(endpointId: string, now: Date): Promise<void> {
    await deliveries.updateMany(
      { endpointId, status: 'pending', nextAttemptAt: { $gt: now } },
      { $set: { nextAttemptAt: now } },
    );
  },

  /** When the next attempt for an endpoint is due; null when nothing is pending. */
  async nextAttemptAt(endpointId: string): Promise<Date | null> {
    const next = await deliveries
      .findOne({ endpointId, status: 'pending' })
      .sort({ nextAttemptAt: 1 })
      .select({ nextAttemptAt: 1 })
      .lean<Pick<Delivery, 'nextAttemptAt'>>();
    return next?.nextAttemptAt ?? null;
  },

  /** Writes down attempts, each unless it was written down before or the delivery has ended otherwise. */
  async record(attempts: RecordedAttempt[]): Promise<void> {
    const writes = attempts.map(({ id, endpointId, standing: { attempt, ...set } }) => ({
      updateOne: {
        filter: { _id: id as never, endpointId, status: 'pending', attempts: attempt.n - 1 },
        update: { $set: set, $push: { attemptLog: { $each: [attempt], $slice: -LOG_LENGTH } } },
      },
    }));
    await deliveries.collection.bulkWrite(writes as never[], { ordered: false });
  },

  /** Makes a delivery that has ended pending again. Answers false when it has not ended. */
  async reopen(
    { id, endpointId }: { id: string; endpointId: string },
    { operationId, traceparent }: { operationId: string | null; traceparent: string | undefined },
    now: Date,
    session: ClientSession,
  ): Promise<boolean> {
    const { modifiedCount } = await deliveries.updateOne(
      { _id: id, endpointId, status: { $in: ['failed', 'succeeded'] } },
      { $set: { status: 'pending', manual: true, retryOperationId: operationId, nextAttemptAt: now, completedAt: null, ...(traceparent !== undefined && { traceparent }) } }, // prettier-ignore
      { session },
    );
    return modifiedCount === 1;
  },

  /** Ends what is pending for endpoints that are no more. */
  async abandon(endpointIds: string[], now: Date): Promise<void> {
    await deliveries.updateMany(
      { endpointId: { $in: endpointIds }, status: 'pending' },
      { $set: { status: 'failed', nextAttemptAt: null, completedAt: now } },
    );
  },

  /** How many are pending for an endpoint, up to a bound. */
  pendingCount: (endpointId: string, upTo: number): Promise<number> =>
    deliveries.countDocuments({ endpointId, status: 'pending' }).limit(upTo).exec(),

  /** How many are pending at all, up to a bound. */
  depth: (upTo: number): Promise<number> =>
    deliveries.countDocuments({ status: 'pending' }).hint('pending').limit(upTo).exec(),
});
