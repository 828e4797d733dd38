import { isDuplicateKey } from '@tautan/kit/mongo';
import type { ClientSession } from 'mongoose';
import type { Notice } from '../domain/provided.js';
import type { Models, StoredNotice } from './models.js';

/** A notice that concerns a customer. */
export type CustomerNotice = Notice & { customerId: string };

export type NoticeStore = ReturnType<typeof noticeStore>;

/** Time in which the replica that stored a notice acts on it, before a sweep takes it up, milliseconds. */
const GRACE_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

export const noticeStore = ({ notices }: Models) => ({
  /** Stores notices that are to be acted on, in one round trip. Known ones stay as they are. */
  async add(received: CustomerNotice[], now: Date): Promise<void> {
    const dueAt = new Date(now.getTime() + GRACE_MS);
    const upserts = received.map(({ id, ...notice }) => ({
      updateOne: {
        filter: { _id: id },
        update: { $setOnInsert: { ...notice, receivedAt: now, dueAt, attempts: 0, at: null } },
        upsert: true,
      },
    }));
    await notices.bulkWrite(upserts, { ordered: false }).catch((error: unknown) => {
      // Another replica stored one of them at the same time.
      if (!isDuplicateKey(error)) throw error;
    });
  },

  /** Returns at most `limit` notices of a customer that were not acted on yet, oldest first. */
  waiting: (customerId: string, limit: number): Promise<StoredNotice[]> =>
    notices.find({ customerId, at: null }).sort({ receivedAt: 1, _id: 1 }).limit(limit).lean<StoredNotice[]>().exec(),

  /**
   * Returns at most `limit` customers with notices that are due. A time beyond any retry was written by a clock that was ahead, and
   * counts as due.
   */
  async dueCustomers(now: Date, limit: number): Promise<string[]> {
    const dueAt = [{ $lte: now }, { $gt: new Date(now.getTime() + MAX_RETRY_MS) }];
    const due = await notices
      .find({ at: null, $or: dueAt.map((each) => ({ dueAt: each })) }, { customerId: 1 })
      .sort({ dueAt: 1 })
      .limit(limit)
      .lean<Pick<StoredNotice, 'customerId'>[]>();
    return [...new Set(due.map(({ customerId }) => customerId))];
  },

  /** Makes notices due again, later after each attempt. */
  async postpone(postponed: StoredNotice[], now: Date): Promise<void> {
    await notices.bulkWrite(
      postponed.map(({ _id, attempts }) => ({
        updateOne: {
          filter: { _id, at: null },
          update: {
            $set: { dueAt: new Date(now.getTime() + Math.min(FIRST_RETRY_MS * 2 ** attempts, MAX_RETRY_MS)) },
            $inc: { attempts: 1 },
          },
        },
      })),
    );
  },

  /** Records that notices were acted on, in the transaction that wrote what they caused. */
  async markHandled(ids: string[], at: Date, session: ClientSession): Promise<void> {
    if (ids.length > 0) await notices.updateMany({ _id: { $in: ids }, at: null }, { $set: { at } }, { session });
  },
});
