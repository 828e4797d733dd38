import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { State } from '@tautan/append-log';
import { until } from '@tautan/kit/testing';
import type Stripe from 'stripe';
import { createCustomer } from './objects/customers.js';
import type { InvoiceLine } from './objects/invoice-lines.js';
import { issueInvoice } from './objects/invoices.js';
import type { Subscription } from './objects/subscriptions.js';
import { Sandbox } from './sandbox.js';
import { advance, aSubscription, invoiceOf, startSandbox, stopAll, type Running } from './testing/running.js';

let sandbox: Running;
beforeAll(async () => void (sandbox = await startSandbox()));
afterAll(stopAll);

/** Waits for a number of events of a type about an object, and returns them. */
const eventsOf = (type: string, id: string, count = 1): Promise<Stripe.Event[]> =>
  until(() => {
    const found = sandbox.receiver.events.filter(
      (event) => event.type === type && (event.data.object as { id: string }).id === id,
    );
    return found.length >= count && found;
  });

/** Line items with a monthly price of 7 dollars. */
const dollarItems: Stripe.Checkout.SessionCreateParams.LineItem[] = [
  {
    price_data: {
      ...{ currency: 'usd', unit_amount: 700, recurring: { interval: 'month' } },
      product_data: { name: 'Tautan PRO' },
    },
    quantity: 1,
  },
];

const startOf = ({ items }: { items: { data: { current_period_start: number }[] } }) =>
  items.data[0]!.current_period_start;

describe('the end of a period', () => {
  test('renews a subscription with a new period and a paid invoice', async () => {
    const { stripe } = sandbox;
    const before = await aSubscription(sandbox);
    const after = await advance(sandbox, before.id);
    expect(after.status).toBe('active');
    expect(startOf(after)).toBeGreaterThan(startOf(before));
    const { data } = await stripe.invoices.list({ subscription: before.id });
    expect(data.map(({ status, billing_reason: reason }) => [status, reason])).toEqual([
      ['paid', 'subscription_cycle'],
      ['paid', 'subscription_create'],
    ]);
    expect(data[0]!.number).toMatch(/-0002$/);
    const [event] = await eventsOf('customer.subscription.updated', before.id);
    expect(event!.data.previous_attributes).toMatchObject({ latest_invoice: data[1]!.id });
    expect(Object.keys(event!.data.previous_attributes!).sort()).toEqual([
      'billing_cycle_anchor',
      'items',
      'latest_invoice',
    ]);
  });

  test('ends a subscription that is set to cancel at the period end', async () => {
    const { stripe } = sandbox;
    const { id } = await aSubscription(sandbox);
    const ending = await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(ending).toMatchObject({ status: 'active', cancel_at: ending.items.data[0]!.current_period_end });
    const [updated] = await eventsOf('customer.subscription.updated', id);
    expect(updated!.data.previous_attributes).toMatchObject({ cancel_at_period_end: false, canceled_at: null });
    expect(await advance(sandbox, id)).toMatchObject({ status: 'canceled', cancel_at_period_end: true });
    await eventsOf('customer.subscription.deleted', id);
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
    await expect(advance(sandbox, id)).rejects.toMatchObject({ statusCode: 400 });
  });

  test('ends a subscription that was canceled with `cancel_at`; only an empty `cancel_at` undoes this', async () => {
    const { stripe } = sandbox;
    const { id } = await aSubscription(sandbox);
    const ending = await stripe.subscriptions.update(id, { cancel_at: 'min_period_end' });
    const { current_period_end: end } = ending.items.data[0]!;
    expect(ending).toMatchObject({ status: 'active', cancel_at: end, cancel_at_period_end: false });
    expect(await stripe.subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({ cancel_at: end });
    const again = await stripe.subscriptions.update(id, { cancel_at: '' });
    expect(again).toMatchObject({ cancel_at: null, canceled_at: null, cancellation_details: { reason: null } });
    const both = stripe.subscriptions.update(id, { cancel_at: '', cancel_at_period_end: false });
    await expect(both).rejects.toMatchObject({ statusCode: 400, param: 'cancel_at' });
    await stripe.subscriptions.update(id, { cancel_at: 'max_period_end' });
    expect(await advance(sandbox, id)).toMatchObject({ status: 'canceled', cancel_at_period_end: false });
  });

  test('renews a subscription whose cancellation was undone', async () => {
    const { stripe } = sandbox;
    const { id } = await aSubscription(sandbox);
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    const again = await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    expect(again).toMatchObject({ cancel_at: null, canceled_at: null, cancellation_details: { reason: null } });
    expect(await advance(sandbox, id)).toMatchObject({ status: 'active' });
  });

  test('sets a subscription to past due after a failed payment, and to active after the next successful one', async () => {
    const { id } = await aSubscription(sandbox);
    const failed = await advance(sandbox, id, 'fail');
    expect(failed.status).toBe('past_due');
    const open = await invoiceOf(sandbox, id);
    expect(open).toMatchObject({ status: 'open', attempt_count: 1, amount_remaining: 14_900_000, amount_paid: 0 });
    await eventsOf('invoice.payment_failed', open.id);
    const paid = await advance(sandbox, id);
    expect([paid.status, startOf(paid)]).toEqual(['active', startOf(failed)]);
    expect(await invoiceOf(sandbox, id)).toMatchObject({ id: open.id, status: 'paid', attempt_count: 2 });
    await eventsOf('invoice.paid', open.id);
  });

  test('leaves the invoice of a failed payment open, to be paid separately', async () => {
    const { stripe } = sandbox;
    const { id } = await aSubscription(sandbox);
    await advance(sandbox, id, 'fail');
    const { id: invoice } = await invoiceOf(sandbox, id);
    expect(await stripe.invoices.pay(invoice)).toMatchObject({ status: 'paid', amount_paid: 14_900_000 });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active' });
    await expect(stripe.invoices.pay(invoice)).rejects.toMatchObject({ code: 'invoice_already_paid' });
  });

  test('ends a subscription after the fourth failed payment', async () => {
    const { id } = await aSubscription(sandbox);
    for (let attempt = 1; attempt < 4; attempt += 1)
      expect((await advance(sandbox, id, 'fail')).status).toBe('past_due');
    expect(await advance(sandbox, id, 'fail')).toMatchObject({
      ...{ status: 'canceled', cancellation_details: { reason: 'payment_failed' } },
    });
    expect(await invoiceOf(sandbox, id)).toMatchObject({
      status: 'open',
      attempt_count: 4,
      next_payment_attempt: null,
    });
    await eventsOf('customer.subscription.deleted', id);
  });
});

describe('a change', () => {
  test('of the price takes effect in the next period', async () => {
    const { stripe } = sandbox;
    const { id, items } = await aSubscription(sandbox);
    const [item] = items.data;
    const price_data = {
      currency: 'idr',
      unit_amount: 4_900_000,
      recurring: { interval: 'month' as const },
      product: item!.price.product as string,
    };
    const change = { items: [{ id: item!.id, price_data }], metadata: { plan: 'LESS', workspaceId: '' } };
    await expect(stripe.subscriptions.update(id, change)).rejects.toMatchObject({ param: 'proration_behavior' });
    const after = await stripe.subscriptions.update(id, { ...change, proration_behavior: 'none' });
    expect(after.metadata).toEqual({ plan: 'LESS' });
    expect([after.items.data[0]!.id, startOf(after)]).toEqual([item!.id, item!.current_period_start]);
    expect(await invoiceOf(sandbox, id)).toMatchObject({ total: 14_900_000 });
    await advance(sandbox, id);
    expect(await invoiceOf(sandbox, id)).toMatchObject({ total: 4_900_000, status: 'paid' });
  });

  test('must keep the currency and the interval, and must contain the id of an existing item', async () => {
    const { stripe } = sandbox;
    const { id, items } = await aSubscription(sandbox);
    const existingId = items.data[0]!.id;
    const product = items.data[0]!.price.product as string;
    const change = (currency: string, interval: 'month' | 'year', itemId = existingId) =>
      stripe.subscriptions.update(id, {
        items: [{ id: itemId, price_data: { currency, unit_amount: 1, recurring: { interval }, product } }],
        proration_behavior: 'none',
      });
    await expect(change('usd', 'month')).rejects.toMatchObject({ param: 'items[0][price]' });
    await expect(change('idr', 'year')).rejects.toMatchObject({ param: 'items[0][price]' });
    await expect(change('idr', 'month', 'si_x')).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'items[0][id]',
    });
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({
      items: { data: [{ price: { unit_amount: 14_900_000 } }] },
    });
  });

  test('without an effect emits no event', async () => {
    const { stripe, receiver } = sandbox;
    const { id } = await aSubscription(sandbox);
    await stripe.subscriptions.update(id, { cancel_at_period_end: false });
    await stripe.subscriptions.update(id, { metadata: { a: '1' } });
    await eventsOf('customer.subscription.updated', id);
    const updates = receiver.events.filter(
      ({ type, data }) => type === 'customer.subscription.updated' && (data.object as { id: string }).id === id,
    );
    expect(updates).toHaveLength(1);
  });
});

describe('a cancellation', () => {
  test('ends a subscription immediately', async () => {
    const { stripe } = sandbox;
    const { id, customer } = await aSubscription(sandbox);
    const gone = await stripe.subscriptions.cancel(id, { cancellation_details: { comment: 'no need' } });
    expect(gone).toMatchObject({
      status: 'canceled',
      cancellation_details: { comment: 'no need', reason: 'cancellation_requested' },
    });
    await eventsOf('customer.subscription.deleted', id);
    await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ code: 'resource_missing', statusCode: 404 });
    await expect(stripe.subscriptions.update(id, { cancel_at_period_end: true })).rejects.toMatchObject({
      statusCode: 400,
    });
    const listed = async (status?: 'all' | 'canceled' | 'active') =>
      (await stripe.subscriptions.list({ customer: customer as string, ...(status && { status }) })).data.map(
        (one) => one.id,
      );
    expect([await listed(), await listed('active')]).toEqual([[], []]);
    expect([await listed('all'), await listed('canceled')]).toEqual([[id], [id]]);
  });

  test('that is prorated credits the unused time to the next invoice', async () => {
    const { stripe } = sandbox;
    const { id: customer } = await stripe.customers.create();
    const first = await aSubscription(sandbox, { customer });
    const second = await aSubscription(sandbox, { customer });
    await stripe.subscriptions.cancel(first.id, { prorate: true, invoice_now: true });
    const credit = await invoiceOf(sandbox, first.id);
    expect(credit).toMatchObject({ status: 'paid', amount_due: 0, billing_reason: 'subscription_update' });
    // At most a few seconds of the month were used.
    expect(credit.total).toBeLessThan(-14_890_000);
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: credit.total });
    await advance(sandbox, second.id);
    const renewal = await invoiceOf(sandbox, second.id);
    const due = 14_900_000 + credit.total;
    expect(renewal).toMatchObject({ status: 'paid', total: 14_900_000, amount_due: due, amount_paid: due });
    expect(renewal).toMatchObject({ starting_balance: credit.total, ending_balance: 0 });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ balance: 0 });
  });

  test('that is prorated does not reduce invoices in another currency', async () => {
    const { stripe } = sandbox;
    const { id: customer } = await stripe.customers.create();
    const inRupiah = await aSubscription(sandbox, { customer });
    const inDollars = await aSubscription(sandbox, { customer, line_items: dollarItems });
    await stripe.subscriptions.cancel(inRupiah.id, { prorate: true, invoice_now: true });
    const { total } = await invoiceOf(sandbox, inRupiah.id);
    const renewed = await advance(sandbox, inDollars.id, 'fail');
    expect(renewed.status).toBe('past_due');
    const renewal = await invoiceOf(sandbox, inDollars.id);
    expect(renewal).toMatchObject({ status: 'open', amount_due: 700, starting_balance: 0, ending_balance: 0 });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({
      balance: 0,
      invoice_credit_balance: { idr: -total, usd: 0 },
    });
  });
});

test('the balance of a customer that an earlier version created is in the currency of the latest invoice', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tautan-payments-balance-'));
  const state = await State.open(join(folder, 'log'), { onLoss: () => undefined });
  const payments = new Sandbox({ state, now: Date.now, baseUrl: 'http://localhost:1', onEvents: () => undefined });
  const issue = (currency: string, amount: number) =>
    payments.change((tx) => {
      const { id: customer } = tx.all('customer')[0]!;
      const subscription = { id: 'sub_1', customer, currency, metadata: {} } as Subscription;
      return issueInvoice(tx, subscription, 'subscription_update', () => [{ amount } as InvoiceLine]);
    });
  await payments.change((tx) => createCustomer(tx, {}));
  await issue('idr', -500);
  await payments.change((tx) => {
    const { invoice_credit_balance: _, ...earlier } = tx.all('customer')[0]!;
    tx.put('customer', earlier.id, earlier);
  });
  expect(await issue('usd', 100)).toMatchObject({ amount_due: 100, starting_balance: 0 });
  expect(await issue('idr', 300)).toMatchObject({ amount_due: 0, starting_balance: -500, ending_balance: -200 });
  await state.close();
  rmSync(folder, { recursive: true });
});

test('a charge can be refunded in parts up to its amount, and its payment intent identifies its invoice', async () => {
  const { stripe } = sandbox;
  const { id, customer } = await aSubscription(sandbox);
  const [charge] = (await stripe.charges.list({ customer: customer as string })).data;
  const part = await stripe.refunds.create({ charge: charge!.id, amount: 4_900_000 });
  expect(part).toMatchObject({ status: 'succeeded', amount: 4_900_000, charge: charge!.id });
  expect(await stripe.charges.retrieve(charge!.id)).toMatchObject({ amount_refunded: 4_900_000, refunded: false });
  await expect(stripe.refunds.create({ charge: charge!.id, amount: 10_000_001 })).rejects.toMatchObject({
    param: 'amount',
  });
  const intent = charge!.payment_intent as string;
  expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ amount: 10_000_000 });
  await expect(stripe.refunds.create({ charge: charge!.id })).rejects.toMatchObject({
    code: 'charge_already_refunded',
  });
  const events = await eventsOf('charge.refunded', charge!.id, 2);
  expect(events.map(({ data }) => (data.object as Stripe.Charge).refunded).sort()).toEqual([false, true]);
  const { data } = await stripe.invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: intent } });
  expect(data.map(({ invoice }) => invoice)).toEqual([(await invoiceOf(sandbox, id)).id]);
});
