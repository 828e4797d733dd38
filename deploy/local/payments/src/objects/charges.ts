import { z } from 'zod';
import { invalid } from '../api/errors.js';
import { changedMetadata, expand, id, integer, metadata, paging, type Metadata } from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { newId } from '../ids.js';
import type { Invoice } from './invoices.js';

/** https://docs.stripe.com/api/charges/object */
export interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_captured: number;
  amount_refunded: number;
  captured: true;
  created: number;
  currency: string;
  customer: string;
  description: string;
  disputed: false;
  failure_code: null;
  failure_message: null;
  livemode: false;
  metadata: Metadata;
  paid: true;
  payment_intent: string;
  receipt_url: string | null;
  refunded: boolean;
  status: 'succeeded';
}

/** Links a payment to its invoice: https://docs.stripe.com/api/invoice-payment/object */
export interface InvoicePayment {
  id: string;
  object: 'invoice_payment';
  amount_paid: number;
  amount_requested: number;
  created: number;
  currency: string;
  invoice: string;
  is_default: true;
  livemode: false;
  payment: { type: 'payment_intent'; payment_intent: string };
  status: 'paid';
  status_transitions: { canceled_at: null; paid_at: number };
}

/** https://docs.stripe.com/api/refunds/object */
export interface Refund {
  id: string;
  object: 'refund';
  amount: number;
  charge: string;
  created: number;
  currency: string;
  metadata: Metadata;
  payment_intent: string;
  reason: string | null;
  receipt_number: null;
  status: 'succeeded';
}

const reasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;

export const chargeListParameters = z.strictObject({
  ...paging,
  customer: id.optional(),
  payment_intent: id.optional(),
});
export const invoicePaymentListParameters = z.strictObject({
  ...paging,
  invoice: id.optional(),
  payment: z.strictObject({ type: z.literal('payment_intent'), payment_intent: id }).optional(),
  status: z.enum(['canceled', 'open', 'paid']).optional(),
});
export const refundParameters = z.strictObject({
  ...expand,
  amount: integer(1).optional(),
  charge: id.optional(),
  metadata: metadata.optional(),
  payment_intent: id.optional(),
  reason: z.enum(reasons, { error: `Invalid reason: must be one of ${reasons.join(', ')}.` }).optional(),
});

/** Charges the test card for an invoice. */
export function charge(tx: Transaction, invoice: Invoice): void {
  const { amount_due: amount, currency, customer } = invoice;
  const intent = newId('pi');
  const made: Charge = {
    ...{ id: newId('ch'), object: 'charge', amount, amount_captured: amount, amount_refunded: 0, captured: true },
    ...{ created: tx.now, currency, customer, description: `Invoice ${invoice.number}`, disputed: false },
    ...{ failure_code: null, failure_message: null, livemode: false, metadata: {}, paid: true },
    ...{ payment_intent: intent, receipt_url: invoice.hosted_invoice_url, refunded: false, status: 'succeeded' },
  };
  const payment: InvoicePayment = {
    ...{ id: newId('inpay'), object: 'invoice_payment', amount_paid: amount, amount_requested: amount },
    ...{ created: tx.now, currency, invoice: invoice.id, is_default: true, livemode: false },
    payment: { type: 'payment_intent', payment_intent: intent },
    ...{ status: 'paid', status_transitions: { canceled_at: null, paid_at: tx.now } },
  };
  tx.put('charge', made.id, made);
  tx.put('invoice_payment', payment.id, payment);
  tx.emit('charge.succeeded', made);
}

/** Refunds a charge completely or in part. Throws if the charge does not exist or the amount exceeds what remains. */
export function refund(tx: Transaction, input: z.infer<typeof refundParameters>): Refund {
  const before = chargeOf(tx, input);
  const left = before.amount - before.amount_refunded;
  const { amount = left, reason = null } = input;
  if (left === 0) throw invalid(`Charge ${before.id} has already been refunded.`, 'charge', 'charge_already_refunded');
  if (amount > left)
    throw invalid(`Refund amount (${amount}) is greater than the remaining amount (${left}).`, 'amount');
  const made: Refund = {
    ...{ id: newId('re'), object: 'refund', amount, charge: before.id, created: tx.now, currency: before.currency },
    ...{ metadata: changedMetadata({}, input.metadata), payment_intent: before.payment_intent, reason },
    ...{ receipt_number: null, status: 'succeeded' },
  };
  const after = { ...before, amount_refunded: before.amount_refunded + amount, refunded: amount === left };
  tx.put('refund', made.id, made);
  tx.put('charge', after.id, after);
  tx.emit('refund.created', made);
  tx.emit('charge.refunded', after, before);
  return made;
}

function chargeOf(
  tx: Transaction,
  { charge: chargeId, payment_intent: intent }: z.infer<typeof refundParameters>,
): Charge {
  if (chargeId !== undefined) return tx.find('charge', chargeId, 'charge');
  const found = tx.all('charge').find((one) => one.payment_intent === intent);
  if (found) return found;
  throw intent === undefined
    ? invalid(
        'One of the following params should be provided for this request: payment_intent or charge.',
        'charge',
        'parameter_missing',
      )
    : invalid(`No such payment_intent: '${intent}'`, 'payment_intent', 'resource_missing');
}
