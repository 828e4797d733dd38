import { z } from 'zod';
import type { Transaction } from '../transaction.js';
import { chargeListParameters, invoicePaymentListParameters, refund, refundParameters } from '../objects/charges.js';
import { createCustomer, customerListParameters, customerParameters, updateCustomer } from '../objects/customers.js';
import { eventListParameters, isOfType } from '../objects/events.js';
import { invoiceListParameters, subscriptionOf } from '../objects/invoices.js';
import { pageOf } from '../objects/lists.js';
import { createPortalSession, portalParameters } from '../objects/portal-sessions.js';
import {
  createPrice,
  createProduct,
  priceListParameters,
  priceParameters,
  productListParameters,
  productParameters,
} from '../objects/prices.js';
import { advance, advanceParameters, payInvoice } from '../objects/renewals.js';
import { createSession, expireSession, sessionListParameters, sessionParameters } from '../objects/sessions.js';
import { subscriptionUpdateParameters, updateSubscription } from '../objects/subscription-changes.js';
import {
  cancelSubscription,
  hasStatus,
  subscriptionCancelParameters,
  subscriptionListParameters,
} from '../objects/subscriptions.js';
import { expand } from './parameters.js';

/** An API operation with its parameters and its effect. The part of the path at `:id` is passed to `run` as `id`. */
export interface Route {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  parameters: z.ZodType<{ expand?: string[] | undefined }>;
  run(tx: Transaction, input: unknown, id: string): object;
}

const expandOnly = z.strictObject(expand);

/** The supported operations of Stripe's API, and `advance`, which Stripe does not have. */
export const routes: readonly Route[] = [
  route('POST', '/v1/customers', customerParameters, createCustomer),
  route('GET', '/v1/customers', customerListParameters, (tx, input) =>
    pageOf(tx.all('customer').filter(having({ email: input.email })), input, '/v1/customers'),
  ),
  route('GET', '/v1/customers/:id', expandOnly, (tx, _, id) => tx.find('customer', id)),
  route('POST', '/v1/customers/:id', customerParameters, updateCustomer),

  route('POST', '/v1/products', productParameters, createProduct),
  route('GET', '/v1/products', productListParameters, (tx, input) =>
    pageOf(tx.all('product').filter(having({ active: input.active })), input, '/v1/products'),
  ),
  route('GET', '/v1/products/:id', expandOnly, (tx, _, id) => tx.find('product', id)),
  route('POST', '/v1/prices', priceParameters, (tx, input) => createPrice(tx, input)),
  route('GET', '/v1/prices', priceListParameters, (tx, { active, currency, product, lookup_keys: keys, ...page }) => {
    const hasKey = ({ lookup_key: key }: { lookup_key: string | null }) =>
      !keys || (key !== null && keys.includes(key));
    const found = tx.all('price').filter(having({ active, currency, product }));
    return pageOf(found.filter(hasKey), page, '/v1/prices');
  }),
  route('GET', '/v1/prices/:id', expandOnly, (tx, _, id) => tx.find('price', id)),

  route('POST', '/v1/checkout/sessions', sessionParameters, createSession),
  route('GET', '/v1/checkout/sessions', sessionListParameters, (tx, { customer, status, subscription, ...page }) =>
    pageOf(tx.all('session').filter(having({ customer, status, subscription })), page, '/v1/checkout/sessions'),
  ),
  route('GET', '/v1/checkout/sessions/:id', expandOnly, (tx, _, id) => tx.find('session', id)),
  route('GET', '/v1/checkout/sessions/:id/line_items', expandOnly, (tx, _, id) => {
    tx.find('session', id);
    return tx.find('purchase', id).items;
  }),
  route('POST', '/v1/checkout/sessions/:id/expire', expandOnly, expireSession),

  route('POST', '/v1/billing_portal/sessions', portalParameters, createPortalSession),

  route('GET', '/v1/subscriptions', subscriptionListParameters, (tx, { customer, status, price, ...page }) => {
    const found = tx.all('subscription').filter(having({ customer }));
    const hasPrice = ({ items }: (typeof found)[number]) => items.data.some((item) => item.price.id === price);
    const shown = found.filter((one) => hasStatus(one, status) && (price === undefined || hasPrice(one)));
    return pageOf(shown, page, '/v1/subscriptions');
  }),
  route('GET', '/v1/subscriptions/:id', expandOnly, (tx, _, id) => tx.find('subscription', id)),
  route('POST', '/v1/subscriptions/:id', subscriptionUpdateParameters, updateSubscription),
  route('DELETE', '/v1/subscriptions/:id', subscriptionCancelParameters, cancelSubscription),
  route('POST', '/v1/test_helpers/subscriptions/:id/advance', advanceParameters, advance),

  route('GET', '/v1/invoices', invoiceListParameters, (tx, { customer, status, subscription, ...page }) => {
    const found = tx.all('invoice').filter(having({ customer, status }));
    const isOf = (invoice: (typeof found)[number]) => subscriptionOf(invoice) === subscription;
    return pageOf(subscription === undefined ? found : found.filter(isOf), page, '/v1/invoices');
  }),
  route('GET', '/v1/invoices/:id', expandOnly, (tx, _, id) => tx.find('invoice', id)),
  route('POST', '/v1/invoices/:id/pay', expandOnly, payInvoice),

  route('GET', '/v1/invoice_payments', invoicePaymentListParameters, (tx, { invoice, payment, status, ...page }) => {
    const found = tx.all('invoice_payment').filter(having({ invoice, status }));
    const isOf = (one: (typeof found)[number]) => one.payment.payment_intent === payment?.payment_intent;
    return pageOf(payment ? found.filter(isOf) : found, page, '/v1/invoice_payments');
  }),
  route('GET', '/v1/invoice_payments/:id', expandOnly, (tx, _, id) => tx.find('invoice_payment', id)),
  route('GET', '/v1/charges', chargeListParameters, (tx, { customer, payment_intent, ...page }) =>
    pageOf(tx.all('charge').filter(having({ customer, payment_intent })), page, '/v1/charges'),
  ),
  route('GET', '/v1/charges/:id', expandOnly, (tx, _, id) => tx.find('charge', id)),
  route('POST', '/v1/refunds', refundParameters, refund),
  route('GET', '/v1/refunds/:id', expandOnly, (tx, _, id) => tx.find('refund', id)),

  route('GET', '/v1/events', eventListParameters, (tx, input) =>
    pageOf(
      tx.all('event').filter((event) => isOfType(event, input)),
      input,
      '/v1/events',
    ),
  ),
  route('GET', '/v1/events/:id', expandOnly, (tx, _, id) => tx.find('event', id)),
];

function route<T extends { expand?: string[] | undefined }>(
  method: Route['method'],
  path: string,
  parameters: z.ZodType<T>,
  run: (tx: Transaction, input: T, id: string) => object,
): Route {
  return { method, path, parameters, run };
}

/** Returns a predicate for objects with these values. Undefined values match everything. */
const having =
  (expected: Record<string, unknown>) =>
  (object: object): boolean =>
    Object.entries(expected).every(([key, value]) => value === undefined || (object as typeof expected)[key] === value);
