import { isDuplicateKey } from '@tautan/kit/mongo';
import type { ClientSession } from 'mongoose';
import type { ProviderWebhook } from '../domain/provider-objects.js';
import type { Models, StoredWebhook } from './models.js';

/** A webhook that concerns a customer. */
export type CustomerWebhook = ProviderWebhook & { customerId: string };

export type WebhookStore = ReturnType<typeof webhookStore>;

/** Time in ms until a sweep handles a stored webhook, unless the replica that stored it does so earlier. */
const GRACE_MS = 5_000;
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** Returns the latest time to which a webhook can be postponed. */
const latestRetry = (now: Date): Date => new Date(now.getTime() + MAX_RETRY_MS);

export const webhookStore = ({ webhooks }: Models) => ({
  /** Stores received webhooks as not yet handled, in one round trip. Those already stored stay unchanged. */
  async add(received: CustomerWebhook[], now: Date): Promise<void> {
    const dueAt = new Date(now.getTime() + GRACE_MS);
    const upserts = received.map(({ id, workspaceId: _, ...webhook }) => ({
      updateOne: {
        filter: { _id: id },
        update: { $setOnInsert: { ...webhook, receivedAt: now, dueAt, attempts: 0, at: null } },
        upsert: true,
      },
    }));
    await webhooks.bulkWrite(upserts, { ordered: false }).catch((error: unknown) => {
      // Another replica stored one of them concurrently.
      if (!isDuplicateKey(error)) throw error;
    });
  },

  /** Returns up to `limit` waiting webhooks of a customer, oldest first, without those that are postponed. */
  waiting: (customerId: string, now: Date, limit: number): Promise<StoredWebhook[]> =>
    webhooks
      .find({
        customerId,
        at: null,
        $or: [{ attempts: 0 }, { dueAt: { $lte: now } }, { dueAt: { $gt: latestRetry(now) } }],
      })
      .sort({ receivedAt: 1, _id: 1 })
      .limit(limit)
      .lean<StoredWebhook[]>()
      .exec(),

  /**
   * Reads up to `limit` waiting webhooks, those with the earliest `dueAt` first. Returns the customers of the due ones,
   * and whether any webhook is waiting. A `dueAt` that lies further ahead than the maximum backoff was written by a
   * process whose clock was ahead, so the webhook counts as due.
   */
  async dueCustomers(now: Date, limit: number): Promise<{ due: string[]; areWaiting: boolean }> {
    const waiting = await webhooks
      .find({ at: null }, { customerId: 1, dueAt: 1 })
      .sort({ dueAt: 1 })
      .limit(limit)
      .lean<Pick<StoredWebhook, 'customerId' | 'dueAt'>[]>();
    const isDue = ({ dueAt }: { dueAt: Date }): boolean => dueAt <= now || dueAt > latestRetry(now);
    return {
      due: [...new Set(waiting.filter(isDue).map(({ customerId }) => customerId))],
      areWaiting: waiting.length > 0,
    };
  },

  /** Reschedules webhooks with exponential backoff. */
  async postpone(postponed: StoredWebhook[], now: Date): Promise<void> {
    await webhooks.bulkWrite(
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

  /** Marks webhooks as handled, in the transaction that wrote their effects. */
  async markHandled(ids: string[], at: Date, session: ClientSession): Promise<void> {
    if (ids.length > 0) await webhooks.updateMany({ _id: { $in: ids }, at: null }, { $set: { at } }, { session });
  },
});
