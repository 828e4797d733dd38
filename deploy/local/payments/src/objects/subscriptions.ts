import { z } from 'zod';
import { invalid, missing } from '../api/errors.js';
import { boolean, expand, id, paging, text, type Metadata } from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { newId } from '../ids.js';
import { unusedLines } from './invoice-lines.js';
import { issueInvoice, stopCollection } from './invoices.js';
import { listOf, type List } from './lists.js';
import { addPeriods } from './periods.js';
import type { Price } from './prices.js';

/** https://docs.stripe.com/api/subscription_items/object. Items contain the current period. */
export interface SubscriptionItem {
  id: string;
  object: 'subscription_item';
  created: number;
  current_period_end: number;
  current_period_start: number;
  discounts: never[];
  metadata: Metadata;
  price: Price;
  quantity: number;
  subscription: string;
  tax_rates: never[];
}

const feedbacks = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
] as const;

type Reason = 'cancellation_requested' | 'payment_failed';

/** https://docs.stripe.com/api/subscriptions/object */
export interface Subscription {
  id: string;
  object: 'subscription';
  billing_cycle_anchor: number;
  cancel_at: number | null;
  cancel_at_period_end: boolean;
  canceled_at: number | null;
  cancellation_details: {
    comment: string | null;
    feedback: (typeof feedbacks)[number] | null;
    feedback_option: null;
    reason: Reason | null;
  };
  collection_method: 'charge_automatically';
  created: number;
  currency: string;
  customer: string;
  default_payment_method: null;
  description: string | null;
  discounts: never[];
  ended_at: number | null;
  items: List<SubscriptionItem>;
  latest_invoice: string | null;
  livemode: false;
  metadata: Metadata;
  schedule: null;
  start_date: number;
  status: 'active' | 'past_due' | 'canceled';
  test_clock: null;
  trial_end: null;
  trial_start: null;
}

export const cancellationDetails = z.strictObject({
  comment: text().optional(),
  feedback: z
    .enum(['', ...feedbacks], { error: `Invalid feedback: must be one of ${feedbacks.join(', ')}.` })
    .optional(),
});
export const subscriptionCancelParameters = z.strictObject({
  ...expand,
  cancellation_details: cancellationDetails.optional(),
  invoice_now: boolean.optional(),
  prorate: boolean.optional(),
});
const statuses = [
  'active',
  'past_due',
  'canceled',
  'all',
  'ended',
  'incomplete',
  'incomplete_expired',
  'paused',
  'trialing',
  'unpaid',
] as const;
export const subscriptionListParameters = z.strictObject({
  ...paging,
  customer: id.optional(),
  price: id.optional(),
  status: z.enum(statuses, { error: `Invalid status: must be one of ${statuses.join(', ')}.` }).optional(),
});

/** Returns a new subscription whose first period starts now. The caller stores it. */
export function startSubscription(
  tx: Transaction,
  {
    customer,
    items,
    metadata,
    description,
  }: {
    customer: string;
    items: { price: Price; quantity: number }[];
    metadata: Metadata;
    description: string | null;
  },
): Subscription {
  const subscriptionId = newId('sub');
  const { now } = tx;
  return {
    ...{ id: subscriptionId, object: 'subscription', billing_cycle_anchor: now },
    ...{ cancel_at: null, cancel_at_period_end: false, canceled_at: null },
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    ...{ collection_method: 'charge_automatically', created: now, currency: items[0]!.price.currency, customer },
    ...{ default_payment_method: null, description, discounts: [], ended_at: null },
    items: listOf(
      items.map(({ price, quantity }): SubscriptionItem => ({
        ...{ id: newId('si', 14), object: 'subscription_item', created: now },
        ...{
          current_period_start: now,
          current_period_end: addPeriods(now, price.recurring.interval, price.recurring.interval_count),
        },
        ...{ discounts: [], metadata: {}, price, quantity, subscription: subscriptionId, tax_rates: [] },
      })),
      `/v1/subscription_items?subscription=${subscriptionId}`,
    ),
    ...{ latest_invoice: null, livemode: false, metadata, schedule: null, start_date: now, status: 'active' },
    ...{ test_clock: null, trial_end: null, trial_start: null },
  };
}

/** Returns the end of the current period, which is the same for all items. */
export const periodEndOf = ({ items }: Subscription): number => items.data[0]!.current_period_end;

/**
 * Returns whether a subscription matches the `status` parameter of a list request. Without one, all except canceled
 * subscriptions match.
 */
export const hasStatus = ({ status }: Subscription, wanted: (typeof statuses)[number] | undefined): boolean => {
  if (wanted === undefined) return status !== 'canceled';
  if (wanted === 'all') return true;
  return status === (wanted === 'ended' ? 'canceled' : wanted);
};

/** Returns the subscription with updated cancellation details. */
export function withDetails(
  subscription: Subscription,
  details: z.infer<typeof cancellationDetails> | undefined,
): Subscription {
  if (!details) return subscription;
  const given = Object.fromEntries(Object.entries(details).map(([key, value]) => [key, value === '' ? null : value]));
  return { ...subscription, cancellation_details: { ...subscription.cancellation_details, ...given } };
}

/** Stores a changed subscription and emits an event, unless nothing changed. */
export function saveChanges(tx: Transaction, before: Subscription, after: Subscription): Subscription {
  if (JSON.stringify(before) === JSON.stringify(after)) return before;
  tx.put('subscription', after.id, after);
  tx.emit('customer.subscription.updated', after, before);
  return after;
}

/**
 * Ends a subscription immediately. Optionally credits the unused time to the customer's balance if the subscription is
 * `active`. Throws `resource_missing` if the subscription does not exist or has already ended.
 */
export function cancelSubscription(
  tx: Transaction,
  {
    cancellation_details: details,
    prorate = false,
    invoice_now: invoiceNow = false,
  }: z.infer<typeof subscriptionCancelParameters>,
  subscriptionId: string,
): Subscription {
  const before = tx.find('subscription', subscriptionId);
  if (before.status === 'canceled') throw missing('subscription', subscriptionId);
  if (prorate !== invoiceNow)
    throw invalid(
      'This sandbox credits unused time immediately or not at all. Set both prorate and invoice_now, or neither.',
      'invoice_now',
    );
  const credit =
    prorate && before.status === 'active'
      ? issueInvoice(tx, before, 'subscription_update', unusedLines(tx, before.items.data))
      : undefined;
  const given = withDetails(before, details);
  return endSubscription(tx, credit ? { ...given, latest_invoice: credit.id } : given, 'cancellation_requested');
}

/** Ends a subscription. Its latest invoice, if unpaid, is no longer collected. */
export function endSubscription(tx: Transaction, before: Subscription, reason: Reason): Subscription {
  const after: Subscription = {
    ...before,
    canceled_at: before.canceled_at ?? tx.now,
    cancellation_details: { ...before.cancellation_details, reason: before.cancellation_details.reason ?? reason },
    ended_at: tx.now,
    status: 'canceled',
  };
  const invoice = before.latest_invoice === null ? undefined : tx.get('invoice', before.latest_invoice);
  if (invoice?.status === 'open') stopCollection(tx, invoice);
  tx.put('subscription', after.id, after);
  tx.emit('customer.subscription.deleted', after);
  return after;
}
