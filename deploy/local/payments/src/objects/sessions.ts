import { z } from 'zod';
import { invalid } from '../api/errors.js';
import {
  changedMetadata,
  expand,
  id,
  integer,
  metadata,
  paging,
  text,
  webUrl,
  type Metadata,
} from '../api/parameters.js';
import type { Transaction } from '../transaction.js';
import { newId } from '../ids.js';
import { cardOf } from './cards.js';
import { createCustomer, updateCustomer } from './customers.js';
import { periodLines } from './invoice-lines.js';
import { collect, issueInvoice } from './invoices.js';
import { listOf, type List } from './lists.js';
import { priceDataWithProduct, priceOf, type Price } from './prices.js';
import { startSubscription } from './subscriptions.js';

/** https://docs.stripe.com/api/checkout/sessions/line_items */
export interface LineItem {
  id: string;
  object: 'item';
  amount_subtotal: number;
  amount_total: number;
  currency: string;
  description: string;
  price: Price;
  quantity: number;
}

/** The line items of a session, and the settings of the subscription that it creates. */
export interface Purchase {
  items: List<LineItem>;
  subscription: { description: string | null; metadata: Metadata };
}

/** https://docs.stripe.com/api/checkout/sessions/object, without `line_items`, which api/expand.ts adds on request. */
export interface Session {
  id: string;
  object: 'checkout.session';
  amount_subtotal: number;
  amount_total: number;
  cancel_url: string | null;
  client_reference_id: string | null;
  created: number;
  currency: string;
  customer: string | null;
  customer_details: {
    address: null;
    business_name: null;
    email: string | null;
    individual_name: null;
    name: string | null;
    phone: string | null;
    tax_exempt: null;
    tax_ids: null;
  } | null;
  customer_email: string | null;
  expires_at: number;
  invoice: string | null;
  livemode: false;
  locale: null;
  metadata: Metadata;
  mode: 'subscription';
  payment_intent: null;
  payment_method_types: ['card'];
  payment_status: 'paid' | 'unpaid' | 'no_payment_required';
  status: 'open' | 'complete' | 'expired';
  subscription: string | null;
  success_url: string;
  ui_mode: 'hosted_page';
  url: string | null;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const MIN_LIFE = 30 * MINUTE;
const MAX_LIFE = 24 * HOUR;
const SESSION_ID = /\{CHECKOUT_SESSION_ID\}/g;
const SECRET_LENGTH = 58;

const lineItem = z.strictObject({
  price: id.optional(),
  price_data: priceDataWithProduct.optional(),
  quantity: integer(1, 1_000_000).optional(),
});
const subscriptionData = z.strictObject({ description: text().optional(), metadata: metadata.optional() });

export const sessionParameters = z.strictObject({
  ...expand,
  cancel_url: webUrl.optional(),
  client_reference_id: text(200).optional(),
  customer: id.optional(),
  customer_email: z.email({ error: 'Invalid email address.' }).optional(),
  expires_at: integer().optional(),
  line_items: z.array(lineItem).min(1).max(20),
  metadata: metadata.optional(),
  mode: z.literal('subscription', { error: 'Invalid mode: this sandbox sells subscriptions only.' }),
  subscription_data: subscriptionData.optional(),
  success_url: webUrl,
});
export const sessionListParameters = z.strictObject({
  ...paging,
  customer: id.optional(),
  status: z.enum(['open', 'complete', 'expired']).optional(),
  subscription: id.optional(),
});

type Input = z.infer<typeof sessionParameters>;

/** Creates a session. Throws if a price, product or customer does not exist, or if the items cannot be combined. */
export function createSession(tx: Transaction, input: Input): Session {
  if (input.customer !== undefined && input.customer_email !== undefined)
    throw invalid('You may only specify one of these parameters: customer, customer_email.', 'customer_email');
  if (input.customer !== undefined) tx.find('customer', input.customer, 'customer');
  const sessionId = newId('cs_test', SECRET_LENGTH);
  const items = lineItemsOf(tx, input.line_items, sessionId);
  const total = items.data.reduce((sum, { amount_total: amount }) => sum + amount, 0);
  const session: Session = {
    ...{ id: sessionId, object: 'checkout.session', amount_subtotal: total, amount_total: total },
    ...{ cancel_url: input.cancel_url ?? null, client_reference_id: input.client_reference_id ?? null },
    ...{ created: tx.now, currency: items.data[0]!.currency, customer: input.customer ?? null },
    ...{ customer_details: null, customer_email: input.customer_email ?? null },
    ...{ expires_at: expiryOf(tx, input.expires_at), invoice: null, livemode: false, locale: null },
    metadata: changedMetadata({}, input.metadata),
    ...{ mode: 'subscription', payment_intent: null, payment_method_types: ['card'] },
    ...{ payment_status: total === 0 ? 'no_payment_required' : 'unpaid', status: 'open', subscription: null },
    ...{ success_url: input.success_url, ui_mode: 'hosted_page', url: `${tx.baseUrl}/pay/${sessionId}` },
  };
  tx.put('session', sessionId, session);
  const { description = null, metadata: subscriptionMetadata } = input.subscription_data ?? {};
  tx.put('purchase', sessionId, {
    items,
    subscription: { description, metadata: changedMetadata({}, subscriptionMetadata) },
  });
  return session;
}

function expiryOf(tx: Transaction, wanted = tx.now + MAX_LIFE): number {
  if (wanted >= tx.now + MIN_LIFE && wanted <= tx.now + MAX_LIFE) return wanted;
  throw invalid('The `expires_at` timestamp must be 30 minutes to 24 hours from now.', 'expires_at');
}

function lineItemsOf(tx: Transaction, wanted: Input['line_items'], sessionId: string): List<LineItem> {
  const items = wanted.map((item, i): LineItem => {
    const price = priceOf(tx, item, `line_items[${i}]`);
    const quantity = item.quantity ?? 1;
    const amount = price.unit_amount * quantity;
    const { name: description } = tx.find('product', price.product);
    return {
      ...{ id: newId('li'), object: 'item', amount_subtotal: amount, amount_total: amount },
      ...{ currency: price.currency, description, price, quantity },
    };
  });
  const [first] = items;
  for (const { price } of items)
    if (
      price.currency !== first!.currency ||
      JSON.stringify(price.recurring) !== JSON.stringify(first!.price.recurring)
    )
      throw invalid('All prices of a session must have the same currency and interval.', 'line_items');
  return listOf(items, `/v1/checkout/sessions/${sessionId}/line_items`);
}

/** Returns the URL to which the browser returns if the customer cancels, or null. */
export const cancelUrlOf = ({ cancel_url: url, id: sessionId }: Session): string | null =>
  url && url.replace(SESSION_ID, sessionId);

/** Returns the URL to which the browser returns after the payment. */
export const successUrlOf = ({ success_url: url, id: sessionId }: Session): string =>
  url.replace(SESSION_ID, sessionId);

/** Returns whether a session can no longer be paid. */
export const isOver = ({ status, expires_at: end }: Session, now: number): boolean => status !== 'open' || end <= now;

/** Pays a session and creates its subscription. Throws if it has been paid or has expired. */
export function paySession(tx: Transaction, sessionId: string): Session {
  const before = tx.find('session', sessionId);
  if (isOver(before, tx.now)) throw invalid('This checkout session is complete or has expired.');
  const customer =
    before.customer === null
      ? createCustomer(tx, before.customer_email === null ? {} : { email: before.customer_email })
      : tx.find('customer', before.customer);
  const { items, subscription: more } = tx.find('purchase', sessionId);
  // A checkout always pays with the test card that succeeds, which becomes the customer's default card.
  if (cardOf(customer) !== 'pm_card_visa')
    updateCustomer(tx, { invoice_settings: { default_payment_method: 'pm_card_visa' } }, customer.id);
  const begun = startSubscription(tx, { customer: customer.id, items: items.data, ...more });
  const invoice = issueInvoice(tx, begun, 'subscription_create', periodLines(tx, begun.items.data));
  const subscription = { ...begun, latest_invoice: invoice.id };
  tx.put('subscription', subscription.id, subscription);
  tx.emit('customer.subscription.created', subscription);
  collect(tx, invoice, 'pay');
  const session: Session = {
    ...before,
    customer: customer.id,
    customer_details: {
      ...{ address: null, business_name: null, email: customer.email, individual_name: null, name: customer.name },
      ...{ phone: customer.phone, tax_exempt: null, tax_ids: null },
    },
    invoice: invoice.id,
    ...(before.payment_status === 'unpaid' && { payment_status: 'paid' }),
    status: 'complete',
    subscription: subscription.id,
    url: null,
  };
  tx.put('session', sessionId, session);
  tx.emit('checkout.session.completed', session);
  return session;
}

/** Expires a session. Throws if it is not open. */
export function expireSession(tx: Transaction, _input: object, sessionId: string): Session {
  const before = tx.find('session', sessionId);
  if (before.status !== 'open')
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${before.status}.`,
    );
  const session: Session = { ...before, status: 'expired', url: null };
  tx.put('session', sessionId, session);
  tx.emit('checkout.session.expired', session);
  return session;
}
