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

/** Fields that the official library turns into something else than what is sent, and lists, whose items stand below. */
type Apart = 'unit_amount_decimal' | 'price' | 'items' | 'lines' | 'pricing' | 'parent' | 'discounts' | 'tax_rates';

/** The names of fields that Stripe does not have, or has otherwise. */
type Astray<Ours, Theirs> = {
  [Key in Exclude<keyof Ours, Apart>]: Key extends keyof Theirs ? (Ours[Key] extends Theirs[Key] ? never : Key) : Key;
}[Exclude<keyof Ours, Apart>];

type Fits<Ours, Theirs> = [Astray<Ours, Theirs>] extends [never] ? true : Astray<Ours, Theirs>;

test('every field that is shown is one that Stripe documents, with a value that it may have', () => {
  // Checked when this is compiled: where a field strays, its name stands in the place of `true`.
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

test('the version is that of the official library', async () => {
  const { default: Library } = await import('stripe');
  expect(Library.API_VERSION).toBe(API_VERSION);
});
