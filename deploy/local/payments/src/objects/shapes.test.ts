import { expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { API_VERSION, type Event } from './events.js';
import type { Charge, InvoicePayment, Refund } from './charges.js';
import type { Customer } from './customers.js';
import type { Invoice } from './invoices.js';
import type { InvoiceLine } from './invoice-lines.js';
import type { PortalSession } from './portal-sessions.js';
import type { Price, Product } from './prices.js';
import type { LineItem, Session } from './sessions.js';
import type { Subscription, SubscriptionItem } from './subscriptions.js';

/** Fields that are not compared. Prices, subscription items and invoice lines have their own check below. */
type NotCompared =
  'unit_amount_decimal' | 'price' | 'items' | 'lines' | 'pricing' | 'parent' | 'discounts' | 'tax_rates';

/** Names of fields that Stripe does not have or defines differently. */
type Mismatches<Ours, Theirs> = {
  [Key in Exclude<keyof Ours, NotCompared>]: Key extends keyof Theirs
    ? Ours[Key] extends Theirs[Key]
      ? never
      : Key
    : Key;
}[Exclude<keyof Ours, NotCompared>];

type Fits<Ours, Theirs> = [Mismatches<Ours, Theirs>] extends [never] ? true : Mismatches<Ours, Theirs>;

test('every compared field is documented by Stripe and has a compatible type', () => {
  // Checked at compile time: `Fits` is `true`, or the names of the mismatched fields.
  const fits: Record<string, true> = {
    customer: true satisfies Fits<Customer, Stripe.Customer>,
    product: true satisfies Fits<Product, Stripe.Product>,
    price: true satisfies Fits<Price, Stripe.Price>,
    session: true satisfies Fits<Session, Stripe.Checkout.Session>,
    lineItem: true satisfies Fits<LineItem, Stripe.LineItem>,
    subscription: true satisfies Fits<Subscription, Stripe.Subscription>,
    subscriptionItem: true satisfies Fits<SubscriptionItem, Stripe.SubscriptionItem>,
    invoice: true satisfies Fits<Invoice, Stripe.Invoice>,
    invoiceLine: true satisfies Fits<InvoiceLine, Stripe.InvoiceLineItem>,
    invoicePayment: true satisfies Fits<InvoicePayment, Stripe.InvoicePayment>,
    charge: true satisfies Fits<Charge, Stripe.Charge>,
    portalSession: true satisfies Fits<PortalSession, Stripe.BillingPortal.Session>,
    refund: true satisfies Fits<Refund, Stripe.Refund>,
    event: true satisfies Event['type'] extends Stripe.Event['type'] ? true : false,
  };
  expect(Object.keys(fits)).toHaveLength(14);
});

test('the API version is that of the official library', async () => {
  const { default: Library } = await import('stripe');
  expect(Library.API_VERSION).toBe(API_VERSION);
});
