import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@tautan/kit/testing';
import { aSession, aSubscription, submitButton, startSandbox, stopAll, type Running } from './testing/running.js';

let sandbox: Running;
beforeAll(async () => void (sandbox = await startSandbox()));
afterAll(stopAll);

test('a paid session creates a subscription with a paid invoice and emits events', async () => {
  const { stripe, receiver, url } = sandbox;
  const customer = await stripe.customers.create({ email: 'ada@example.com', metadata: { workspaceId: 'ws_1' } });
  const session = await stripe.checkout.sessions.create(
    aSession({
      ...{ customer: customer.id, client_reference_id: 'ws_1', metadata: { plan: 'PRO' } },
      subscription_data: { metadata: { workspaceId: 'ws_1', plan: 'PRO' } },
    }),
  );
  expect(session).toMatchObject({
    ...{ object: 'checkout.session', mode: 'subscription', status: 'open', payment_status: 'unpaid' },
    ...{ amount_total: 14_900_000, currency: 'idr', customer: customer.id, client_reference_id: 'ws_1' },
    ...{ metadata: { plan: 'PRO' }, subscription: null, url: `${url}/pay/${session.id}` },
  });
  expect(session.expires_at - session.created).toBe(24 * 60 * 60);

  const answer = await submitButton(session.url!, 'pay');
  expect([answer.status, answer.headers.get('location')]).toEqual([
    303,
    `http://localhost:8080/paid?session=${session.id}`,
  ]);

  const paid = await stripe.checkout.sessions.retrieve(session.id, {
    expand: ['subscription.latest_invoice', 'line_items'],
  });
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid', url: null });
  expect(paid.line_items!.data).toMatchObject([{ description: 'Tautan PRO', quantity: 1, amount_total: 14_900_000 }]);
  const { subscription } = paid;
  if (typeof subscription !== 'object' || !subscription) throw new Error('not expanded');
  expect(subscription).toMatchObject({
    ...{ status: 'active', customer: customer.id, currency: 'idr', cancel_at_period_end: false },
    metadata: { workspaceId: 'ws_1', plan: 'PRO' },
  });
  const [item] = subscription.items.data;
  expect(item!.price).toMatchObject({ currency: 'idr', unit_amount: 14_900_000, recurring: { interval: 'month' } });
  expect(item!.current_period_start).toBeGreaterThanOrEqual(session.created);
  expect(item!.current_period_end - item!.current_period_start).toBeGreaterThanOrEqual(28 * 24 * 60 * 60);
  expect(subscription.latest_invoice).toMatchObject({
    ...{ status: 'paid', total: 14_900_000, amount_paid: 14_900_000, amount_remaining: 0, currency: 'idr' },
    ...{ billing_reason: 'subscription_create', customer_email: 'ada@example.com' },
    parent: { subscription_details: { subscription: subscription.id, metadata: { plan: 'PRO' } } },
  });

  const expected = [
    ...['charge.succeeded', 'checkout.session.completed', 'customer.created', 'customer.subscription.created'],
    ...['invoice.created', 'invoice.finalized', 'invoice.paid'],
  ];
  await until(() => receiver.events.length === expected.length);
  expect(receiver.types).toEqual(expected);
  const completed = receiver.events.find(({ type }) => type === 'checkout.session.completed')!;
  expect(completed).toMatchObject({ object: 'event', livemode: false, data: { object: { id: session.id } } });
  expect(await stripe.events.retrieve(completed.id)).toMatchObject({ id: completed.id, type: completed.type });
  const listed = await stripe.events.list({ type: 'invoice.*' });
  expect(listed.data.map(({ type }) => type)).toEqual(['invoice.paid', 'invoice.finalized', 'invoice.created']);
});

test('a session can use an existing price, found by its lookup key', async () => {
  const { stripe } = sandbox;
  const price = await stripe.prices.create({
    ...{ currency: 'usd', unit_amount: 900, recurring: { interval: 'month' }, lookup_key: 'pro_usd' },
    product_data: { name: 'Tautan PRO' },
  });
  const { data } = await stripe.prices.list({ lookup_keys: ['pro_usd'], active: true });
  expect(data.map(({ id }) => id)).toEqual([price.id]);
  expect(await stripe.products.retrieve(price.product as string)).toMatchObject({ name: 'Tautan PRO' });
  const subscription = await aSubscription(sandbox, { line_items: [{ price: price.id, quantity: 2 }] });
  expect(subscription).toMatchObject({ currency: 'usd', items: { data: [{ price: { id: price.id }, quantity: 2 }] } });
  const [invoice] = (await stripe.invoices.list({ subscription: subscription.id })).data;
  expect(invoice).toMatchObject({ total: 1_800, currency: 'usd' });
  expect(invoice!.lines.data[0]!.description).toBe('2 × Tautan PRO (at $9.00 / month)');
});

test('the payment of a session without a customer creates a customer', async () => {
  const { stripe } = sandbox;
  const { customer } = await aSubscription(sandbox, { customer_email: 'grace@example.com' });
  expect(await stripe.customers.retrieve(customer as string)).toMatchObject({ email: 'grace@example.com' });
});

test('repeated and concurrent clicks on the button pay only once', async () => {
  const { stripe } = sandbox;
  const customer = await stripe.customers.create({ email: 'twice@example.com' });
  const { url, id } = await stripe.checkout.sessions.create(aSession({ customer: customer.id }));
  const answers = await Promise.all([submitButton(url!, 'pay'), submitButton(url!, 'pay'), submitButton(url!, 'pay')]);
  const later = await submitButton(url!, 'pay');
  expect(later.headers.get('location')).toContain(id);
  expect(answers.some(({ status }) => status === 303)).toBe(true);
  expect((await stripe.subscriptions.list({ customer: customer.id })).data).toHaveLength(1);
  expect((await stripe.invoices.list({ customer: customer.id })).data).toHaveLength(1);
});

test('a declined card creates no subscription, and the session can still be paid', async () => {
  const { stripe } = sandbox;
  const { url, id } = await stripe.checkout.sessions.create(aSession());
  expect((await submitButton(url!, 'decline')).status).toBe(402);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open', subscription: null });
  expect((await submitButton(url!, 'pay')).status).toBe(303);
});

test('an expired session cannot be paid', async () => {
  const { stripe, receiver } = sandbox;
  const { url, id } = await stripe.checkout.sessions.create(aSession());
  expect(await stripe.checkout.sessions.expire(id)).toMatchObject({ status: 'expired', url: null });
  expect((await submitButton(url!, 'pay')).status).toBe(410);
  expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'expired', subscription: null });
  await expect(stripe.checkout.sessions.expire(id)).rejects.toMatchObject({ statusCode: 400 });
  await until(() => receiver.events.some(({ type }) => type === 'checkout.session.expired'));
});

test('lists sessions by customer and status', async () => {
  const { stripe } = sandbox;
  const { id: customer } = await stripe.customers.create();
  const [open, ended] = await Promise.all([1, 2].map(() => stripe.checkout.sessions.create(aSession({ customer }))));
  await stripe.checkout.sessions.expire(ended!.id);
  expect((await stripe.checkout.sessions.list({ customer })).data).toHaveLength(2);
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open' });
  expect(data.map(({ id }) => id)).toEqual([open!.id]);
});
