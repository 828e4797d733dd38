import type { ClientSession } from 'mongoose';
import type { RequestedChange, SubscriptionState, Subscription } from '../domain/subscription.js';
import type { Models } from './models.js';

export type SubscriptionStore = ReturnType<typeof subscriptionStore>;

export const subscriptionStore = ({ subscriptions }: Models) => ({
  ofWorkspace: (workspaceId: string): Promise<Subscription | null> =>
    subscriptions.findOne({ workspaceId }).lean<Subscription>(),

  ofCustomer: (customerId: string): Promise<Subscription | null> =>
    subscriptions.findOne({ customerId }).lean<Subscription>(),

  /** Returns the ids of those customers that have a subscription. */
  async knownCustomers(customerIds: string[]): Promise<Set<string>> {
    const found = await subscriptions.find({ customerId: { $in: customerIds } }, { customerId: 1 }).lean();
    return new Set(found.map(({ customerId }) => customerId));
  },

  /** Rejects with a duplicate key error if the workspace already has a subscription. */
  async insert(subscription: Subscription): Promise<void> {
    await subscriptions.insertMany([subscription]);
  },

  /** Replaces the customer of a subscription, unless it has been replaced already. Returns the subscription. */
  async replaceCustomer(
    { _id, customerId }: Pick<Subscription, '_id' | 'customerId'>,
    replacement: string,
  ): Promise<Subscription> {
    const change = { $set: { customerId: replacement }, $inc: { revision: 1 } };
    await subscriptions.updateOne({ _id, customerId }, change);
    return subscriptions.findById(_id).orFail().lean<Subscription>();
  },

  /**
   * Records a requested change and returns the subscription. Increments the revision, so that `write` refuses the
   * result of a provider read that started before this call.
   */
  async recordRequest(id: string, asked: RequestedChange): Promise<Subscription> {
    const change = { $set: { asked }, $inc: { revision: 1 } };
    return subscriptions
      .findOneAndUpdate({ _id: id }, change, { returnDocument: 'after' })
      .orFail()
      .lean<Subscription>();
  },

  /** Returns a subscription whose reconciliation is due and schedules its next one; null if none is due. */
  takeDue: (now: Date, next: Date): Promise<Subscription | null> =>
    subscriptions
      .findOneAndUpdate(
        { $or: [{ reconcileAt: null }, { reconcileAt: { $lte: now } }] },
        { $set: { reconcileAt: next } },
      )
      .sort({ reconcileAt: 1 })
      .lean<Subscription>(),

  /** Schedules the next reconciliation. */
  async reconcileAt(id: string, at: Date): Promise<void> {
    await subscriptions.updateOne({ _id: id }, { $set: { reconcileAt: at } });
  },

  /** Writes the state of a subscription. Returns false and writes nothing if its revision is no longer `revision`. */
  async write(
    { _id, revision }: Pick<Subscription, '_id' | 'revision'>,
    set: SubscriptionState & Pick<Subscription, 'asked'>,
    session: ClientSession,
  ): Promise<boolean> {
    const written = await subscriptions.updateOne({ _id, revision }, { $set: set, $inc: { revision: 1 } }, { session });
    return written.matchedCount === 1;
  },
});
