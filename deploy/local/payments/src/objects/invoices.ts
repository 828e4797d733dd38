import { z } from 'zod';
import { id, paging, type Metadata } from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { newId } from '../ids.js';
import { cardOf, cards } from './cards.js';
import { charge } from './charges.js';
import type { Customer } from './customers.js';
import type { InvoiceLine, MakeLines } from './invoice-lines.js';
import { listOf, type List } from './lists.js';
import type { Subscription } from './subscriptions.js';

const statuses = ['draft', 'open', 'paid', 'uncollectible', 'void'] as const;

/** https://docs.stripe.com/api/invoices/object */
export interface Invoice {
  id: string;
  object: 'invoice';
  amount_due: number;
  amount_paid: number;
  amount_remaining: number;
  attempt_count: number;
  attempted: boolean;
  auto_advance: boolean;
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update';
  collection_method: 'charge_automatically';
  created: number;
  currency: string;
  customer: string;
  customer_email: string | null;
  customer_name: string | null;
  description: null;
  discounts: never[];
  due_date: null;
  effective_at: number | null;
  ending_balance: number | null;
  hosted_invoice_url: string | null;
  invoice_pdf: null;
  lines: List<InvoiceLine>;
  livemode: false;
  metadata: Metadata;
  next_payment_attempt: number | null;
  number: string | null;
  parent: {
    type: 'subscription_details';
    quote_details: null;
    subscription_details: { metadata: Metadata; subscription: string };
  };
  period_end: number;
  period_start: number;
  starting_balance: number;
  status: (typeof statuses)[number];
  status_transitions: {
    finalized_at: number | null;
    marked_uncollectible_at: null;
    paid_at: number | null;
    voided_at: null;
  };
  subtotal: number;
  total: number;
}

export const invoiceListParameters = z.strictObject({
  ...paging,
  customer: id.optional(),
  status: z.enum(statuses, { error: `Invalid status: must be one of ${statuses.join(', ')}.` }).optional(),
  subscription: id.optional(),
});

/** Days between two collection attempts. */
const RETRY_DAYS = 3;
const DAY_SECONDS = 24 * 60 * 60;

/** Returns the id of an invoice's subscription. */
export const subscriptionOf = ({ parent }: Invoice): string => parent.subscription_details.subscription;

/**
 * Creates and finalizes an invoice. The customer's credit in the same currency reduces the amount due; a negative total
 * increases the credit. An invoice without an amount due is marked as paid immediately.
 */
export function issueInvoice(
  tx: Transaction,
  subscription: Subscription,
  reason: Invoice['billing_reason'],
  linesOf: MakeLines,
): Invoice {
  const customer = tx.find('customer', subscription.customer);
  const drafted = draftInvoice(tx, subscription, reason, linesOf);
  tx.emit('invoice.created', drafted);
  const { next_invoice_sequence: sequence } = customer;
  const credits = creditsOf(tx, customer);
  // A credit is a negative balance. Use `0 - x`, because `-x` is -0 if x is 0.
  const balance = 0 - (credits[drafted.currency] ?? 0);
  const endingBalance = drafted.total < 0 ? balance + drafted.total : Math.min(0, balance + drafted.total);
  const due = Math.max(0, drafted.total + balance);
  tx.put('customer', customer.id, {
    ...customer,
    balance: endingBalance,
    next_invoice_sequence: sequence + 1,
    invoice_credit_balance: { ...credits, [drafted.currency]: 0 - endingBalance },
  });
  const invoice: Invoice = {
    ...{
      ...drafted,
      amount_due: due,
      amount_remaining: due,
      customer_email: customer.email,
      customer_name: customer.name,
    },
    ...{ effective_at: tx.now, ending_balance: endingBalance, starting_balance: balance, status: 'open' },
    hosted_invoice_url: `${tx.baseUrl}/invoices/${drafted.id}`,
    number: `${customer.invoice_prefix}-${String(sequence).padStart(4, '0')}`,
    status_transitions: { ...drafted.status_transitions, finalized_at: tx.now },
  };
  tx.put('invoice', invoice.id, invoice);
  tx.emit('invoice.finalized', invoice);
  return due === 0 ? markPaid(tx, invoice) : invoice;
}

/**
 * Returns a customer's credits by currency. A customer that an earlier version created has a single credit, in the
 * currency of the latest invoice.
 */
function creditsOf(
  tx: Transaction,
  { id: customerId, balance, invoice_credit_balance: credits }: Customer,
): Record<string, number> {
  if (credits) return credits;
  const latest = tx.all('invoice').findLast(({ customer }) => customer === customerId);
  return latest ? { [latest.currency]: 0 - balance } : {};
}

function draftInvoice(
  tx: Transaction,
  { id: subscription, customer, currency, metadata }: Subscription,
  reason: Invoice['billing_reason'],
  linesOf: MakeLines,
): Invoice {
  const invoiceId = newId('in');
  const lines = linesOf(invoiceId);
  const total = lines.reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...{ id: invoiceId, object: 'invoice', amount_due: total, amount_paid: 0, amount_remaining: total },
    ...{ attempt_count: 0, attempted: false, auto_advance: true, billing_reason: reason },
    ...{ collection_method: 'charge_automatically', created: tx.now, currency, customer },
    ...{ customer_email: null, customer_name: null, description: null, discounts: [], due_date: null },
    ...{ effective_at: null, ending_balance: null, hosted_invoice_url: null, invoice_pdf: null },
    lines: listOf(lines, `/v1/invoices/${invoiceId}/lines`),
    ...{ livemode: false, metadata: {}, next_payment_attempt: null, number: null },
    parent: {
      ...{ type: 'subscription_details', quote_details: null },
      subscription_details: { metadata, subscription },
    },
    ...{ period_end: tx.now, period_start: tx.now, starting_balance: 0, status: 'draft' },
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    ...{ subtotal: total, total },
  };
}

/** Whether a payment succeeds: always (`pay`), never (`fail`), or depending on the customer's card (`card`). */
export type Outcome = 'pay' | 'fail' | 'card';

/** Returns whether a customer's payment succeeds. */
export const succeeds = (tx: Transaction, customer: string, outcome: Outcome): boolean =>
  outcome === 'card' ? cards[cardOf(tx.find('customer', customer))].works : outcome === 'pay';

/** Attempts to collect an invoice and emits the result. No money is moved. */
export function collect(tx: Transaction, invoice: Invoice, outcome: Outcome): Invoice {
  if (invoice.status === 'paid') return invoice;
  const attempted = { ...invoice, attempt_count: invoice.attempt_count + 1, attempted: true };
  if (succeeds(tx, invoice.customer, outcome)) {
    charge(tx, invoice);
    return markPaid(tx, { ...attempted, amount_paid: invoice.amount_due, amount_remaining: 0 });
  }
  const after = { ...attempted, next_payment_attempt: tx.now + RETRY_DAYS * DAY_SECONDS };
  tx.put('invoice', after.id, after);
  tx.emit('invoice.payment_failed', after);
  return after;
}

function markPaid(tx: Transaction, invoice: Invoice): Invoice {
  const after: Invoice = {
    ...{ ...invoice, attempted: true, auto_advance: false, next_payment_attempt: null, status: 'paid' },
    status_transitions: { ...invoice.status_transitions, paid_at: tx.now },
  };
  tx.put('invoice', after.id, after);
  tx.emit('invoice.paid', after);
  return after;
}

/** Stops the automatic collection of an unpaid invoice. */
export function stopCollection(tx: Transaction, invoice: Invoice): void {
  tx.put('invoice', invoice.id, { ...invoice, auto_advance: false, next_payment_attempt: null });
}
