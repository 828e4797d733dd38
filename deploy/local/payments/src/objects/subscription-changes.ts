import { z } from 'zod';
import { invalid, missing } from '../api/errors.js';
import { boolean, changedMetadata, expand, id, integer, metadata, text } from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { priceData, priceOf } from './prices.js';
import {
  cancellationDetails,
  periodEndOf,
  saveChanges,
  withDetails,
  type Subscription,
  type SubscriptionItem,
} from './subscriptions.js';

const changedItem = z.strictObject({
  id: id.optional(),
  price: id.optional(),
  price_data: priceData.optional(),
  quantity: integer(1, 1_000_000).optional(),
});

export const subscriptionUpdateParameters = z.strictObject({
  ...expand,
  cancel_at: z
    .enum(['', 'min_period_end', 'max_period_end'], {
      error: 'This sandbox supports only min_period_end, max_period_end and the empty string.',
    })
    .optional(),
  cancel_at_period_end: boolean.optional(),
  cancellation_details: cancellationDetails.optional(),
  description: text().optional(),
  items: z.array(changedItem).max(20).optional(),
  metadata: metadata.optional(),
  payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete']).optional(),
  proration_behavior: z.enum(['none', 'create_prorations', 'always_invoice']).optional(),
});
type Update = z.infer<typeof subscriptionUpdateParameters>;

/** Updates a subscription. Throws `resource_missing`, or Stripe's error for an invalid item, price or state. */
export function updateSubscription(tx: Transaction, input: Update, subscriptionId: string): Subscription {
  const before = tx.find('subscription', subscriptionId);
  const {
    cancel_at: cancelAt,
    cancel_at_period_end: cancelsAtPeriodEnd,
    items,
    cancellation_details: details,
    description,
    ...rest
  } = input;
  if (
    before.status === 'canceled' &&
    [cancelAt, cancelsAtPeriodEnd, items, description].some((each) => each !== undefined)
  )
    throw invalid('A canceled subscription can only update its cancellation_details and metadata.');
  if (cancelAt !== undefined && cancelsAtPeriodEnd !== undefined)
    throw invalid('Set cancel_at or cancel_at_period_end, not both.', 'cancel_at');
  const after: Subscription = {
    ...before,
    ...(cancelAt !== undefined && flexibleCancellationFields(tx, before, cancelAt !== '')),
    ...(cancelsAtPeriodEnd !== undefined && cancellationFields(tx, before, cancelsAtPeriodEnd)),
    ...(description !== undefined && { description: description === '' ? null : description }),
    items: items ? { ...before.items, data: changedItems(tx, before, items, rest.proration_behavior) } : before.items,
    metadata: changedMetadata(before.metadata, rest.metadata),
  };
  return saveChanges(tx, before, withDetails(after, details));
}

function cancellationFields(tx: Transaction, before: Subscription, ends: boolean): Partial<Subscription> {
  if (ends === before.cancel_at_period_end) return {};
  return ends ? { ...scheduled(tx, before), cancel_at_period_end: true } : withoutCancellation(before);
}

/**
 * Returns the fields that `cancel_at` sets. As in Stripe's flexible billing mode, a cancellation scheduled in this way
 * leaves `cancel_at_period_end` false, and only `cancel_at` undoes it.
 */
function flexibleCancellationFields(tx: Transaction, before: Subscription, ends: boolean): Partial<Subscription> {
  if (ends === (before.cancel_at !== null)) return {};
  return ends ? scheduled(tx, before) : withoutCancellation(before);
}

const scheduled = (tx: Transaction, before: Subscription): Partial<Subscription> => ({
  ...{ cancel_at: periodEndOf(before), canceled_at: tx.now },
  cancellation_details: { ...before.cancellation_details, reason: 'cancellation_requested' },
});

const withoutCancellation = (before: Subscription): Partial<Subscription> => ({
  ...{ cancel_at: null, cancel_at_period_end: false, canceled_at: null },
  cancellation_details: { ...before.cancellation_details, reason: null },
});

function changedItems(
  tx: Transaction,
  { items, currency }: Subscription,
  changes: NonNullable<Update['items']>,
  proration: Update['proration_behavior'],
): SubscriptionItem[] {
  const changed = new Map(items.data.map((item) => [item.id, item]));
  for (const [i, change] of changes.entries()) {
    const param = `items[${i}]`;
    const item = change.id === undefined ? undefined : changed.get(change.id);
    if (change.id === undefined)
      throw invalid('This sandbox can only change existing items. Pass the id of an item.', `${param}[id]`);
    if (!item) throw missing('subscription_item', change.id, `${param}[id]`);
    const isPriced = change.price !== undefined || change.price_data !== undefined;
    const price = isPriced ? priceOf(tx, change, param) : item.price;
    const quantity = change.quantity ?? item.quantity;
    if (price.currency !== currency)
      throw invalid(`The price is in \`${price.currency}\`, the subscription in \`${currency}\`.`, `${param}[price]`);
    if (JSON.stringify(price.recurring) !== JSON.stringify(item.price.recurring))
      throw invalid('This sandbox does not support changing the interval.', `${param}[price]`);
    const isOtherAmount = price.unit_amount * quantity !== item.price.unit_amount * item.quantity;
    if (isOtherAmount && proration !== 'none')
      throw invalid(
        'This sandbox applies a new amount only from the next period. Set proration_behavior=none.',
        'proration_behavior',
      );
    changed.set(item.id, { ...item, price, quantity });
  }
  return [...changed.values()];
}
