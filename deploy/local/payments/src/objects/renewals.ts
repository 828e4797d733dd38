import { z } from 'zod';
import { ApiError, invalid } from '../api/errors.js';
import { expand } from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { periodLines } from './invoice-lines.js';
import { collect, issueInvoice, subscriptionOf, succeeds, type Invoice, type Outcome } from './invoices.js';
import { addPeriods } from './periods.js';
import {
  endSubscription,
  periodEndOf,
  saveChanges,
  type Subscription,
  type SubscriptionItem,
} from './subscriptions.js';

export const advanceParameters = z.strictObject({
  ...expand,
  outcome: z.enum(['pay', 'fail'], { error: 'Invalid outcome: must be one of pay, fail.' }).optional(),
});

/** Number of failed collection attempts after which a subscription ends. */
const MAX_ATTEMPTS = 4;

/**
 * Ends the current period immediately: the subscription ends or is renewed. `outcome` determines whether the payment
 * succeeds; by default, that depends on the customer's card. If the latest invoice is open, its payment is retried
 * instead. Throws if the subscription has ended.
 */
export function advance(
  tx: Transaction,
  input: z.infer<typeof advanceParameters>,
  subscriptionId: string,
): Subscription {
  const outcome: Outcome = input.outcome ?? 'card';
  const subscription = tx.find('subscription', subscriptionId);
  if (subscription.status === 'canceled') throw invalid('This subscription has ended and has no current period.');
  const due = openInvoiceOf(tx, subscription);
  if (due) return retryPayment(tx, subscription, due, outcome);
  // Each period starts in a different second, because clients identify a period by its start.
  const start = Math.max(tx.now, subscription.items.data[0]!.current_period_start + 1);
  return endPeriod(tx, { ...subscription, billing_cycle_anchor: start }, start, outcome);
}

/** Ends the periods that are over and retries unpaid invoices. */
export function catchUp(tx: Transaction, subscription: Subscription): void {
  let current = subscription;
  while (current.status !== 'canceled') {
    const due = openInvoiceOf(tx, current);
    const at = due ? due.next_payment_attempt : periodEndOf(current);
    if (at === null || at > tx.now) return;
    current = due ? retryPayment(tx, current, due, 'card') : endPeriod(tx, current, at, 'card');
  }
}

/** Pays an invoice with the customer's card. Throws `invoice_already_paid` if it is not open, or `card_declined`. */
export function payInvoice(tx: Transaction, _input: object, invoiceId: string): Invoice {
  const invoice = tx.find('invoice', invoiceId);
  if (invoice.status !== 'open') throw invalid('Invoice is already paid.', undefined, 'invoice_already_paid');
  if (!succeeds(tx, invoice.customer, 'card'))
    throw new ApiError(402, 'Your card was declined.', { type: 'card_error', code: 'card_declined' });
  const subscription = tx.find('subscription', subscriptionOf(invoice));
  if (subscription.status === 'canceled') return collect(tx, invoice, 'pay');
  retryPayment(tx, subscription, invoice, 'pay');
  return tx.find('invoice', invoiceId);
}

function openInvoiceOf(tx: Transaction, { latest_invoice: id }: Subscription): Invoice | undefined {
  const invoice = id === null ? undefined : tx.get('invoice', id);
  return invoice?.status === 'open' ? invoice : undefined;
}

function endPeriod(tx: Transaction, subscription: Subscription, start: number, outcome: Outcome): Subscription {
  const before = tx.find('subscription', subscription.id);
  if (subscription.cancel_at !== null) return endSubscription(tx, before, 'cancellation_requested');
  const { billing_cycle_anchor: anchor, items } = subscription;
  const data = items.data.map((item): SubscriptionItem => {
    const { interval, interval_count: count } = item.price.recurring;
    return { ...item, current_period_start: start, current_period_end: addPeriods(start, interval, count, anchor) };
  });
  const renewed = { ...subscription, items: { ...items, data } };
  const due = issueInvoice(tx, renewed, 'subscription_cycle', periodLines(tx, data));
  const invoice = collect(tx, due, outcome);
  const status = invoice.status === 'paid' ? 'active' : 'past_due';
  return saveChanges(tx, before, { ...renewed, latest_invoice: invoice.id, status });
}

function retryPayment(tx: Transaction, subscription: Subscription, invoice: Invoice, outcome: Outcome): Subscription {
  const { status, attempt_count: attempts } = collect(tx, invoice, outcome);
  if (status === 'paid') return saveChanges(tx, subscription, { ...subscription, status: 'active' });
  return attempts < MAX_ATTEMPTS ? subscription : endSubscription(tx, subscription, 'payment_failed');
}
