import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { newUlid } from '@tautan/kit';
import { until } from '@tautan/kit/testing';
import type Stripe from 'stripe';
import { withoutCustomer } from './testing/proxy.js';
import { pay, startService, type Caller, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService({ RETURN_ORIGINS: 'https://app.example' })));
afterEach(() => {
  service.receiver.hold = false;
  service.proxy.reset();
});
afterAll(() => service.stop());

const fault = (code: string, field?: string) => expect.objectContaining({ code, field });
/**
 * Cancels the subscription of a workspace in the portal. Like Stripe in flexible billing mode, the portal sets only
 * `cancel_at`.
 */
async function cancelInPortal(caller: Caller): Promise<void> {
  const { portalUrl } = await caller.call('CreatePortal', {});
  await fetch(`${portalUrl}/cancel`, { method: 'POST', redirect: 'manual' });
  expect((await caller.providerSubscriptions())[0]).toMatchObject({ cancel_at_period_end: false });
}

const priceOf = ({ items }: Stripe.Subscription) => items.data[0]!.price.unit_amount;

describe('resuming', () => {
  test('undoes a cancellation locally and at the provider, and is attributed to the requester', async () => {
    const caller = service.as();
    const before = await caller.subscribed('PRO');
    await caller.call('CancelSubscription', {});
    expect(await caller.call('ResumeSubscription', {})).toEqual(before);
    expect((await caller.providerSubscriptions())[0]!.cancel_at_period_end).toBe(false);
    const published = await caller.events(3);
    expect(published[2]).toMatchObject({
      type: 'subscription.updated',
      actor: { type: 'user', id: caller.by.id },
      changes: { cancelAtPeriodEnd: { before: true, after: false }, pendingPlan: { before: 'FREE', after: null } },
    });
    await service.advance((await caller.record()).providerId!);
    await caller.invoices(2);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  });

  test.each([[['PRO']], [['PRO', 'FREE']]])('undoes a downgrade (%j) and restores the paid price', async (plans) => {
    const caller = service.as();
    const before = await caller.subscribed('BUSINESS');
    for (const plan of plans) await caller.call('DowngradeSubscription', { plan });
    expect(await caller.call('ResumeSubscription', {})).toEqual(before);
    const [provided] = await caller.providerSubscriptions();
    expect([priceOf(provided!), provided!.cancel_at_period_end]).toEqual([44_900_000, false]);
    await service.advance((await caller.record()).providerId!);
    expect((await caller.invoices(2)).map(({ amount }) => amount)).toEqual([449_000, 449_000]);
    expect(await caller.subscription()).toMatchObject({ plan: 'BUSINESS', status: 'active' });
  });

  test('changes nothing if there is nothing to undo', async () => {
    const caller = service.as();
    const before = await caller.subscribed('PRO');
    const { providerId } = await caller.record();
    service.proxy.requests.splice(0);
    expect(await caller.call('ResumeSubscription', {})).toEqual(before);
    expect(await caller.events(1)).toHaveLength(1);
    const writes = service.proxy.requests.filter(({ method, path }) => method !== 'GET' && path.includes(providerId!));
    expect(writes).toEqual([]);
  });

  test('throws SUBSCRIPTION_STATE after the subscription has ended', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    await caller.call('CancelSubscription', {});
    await service.advance((await caller.record()).providerId!);
    await caller.untilSubscription({ status: 'canceled' });
    await expect(caller.call('ResumeSubscription', {})).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
  });

  test.each([
    ['without an earlier downgrade', []],
    ['after a downgrade', ['PRO']],
  ])('undoes a cancellation that was made in the portal %s', async (_, plans) => {
    const caller = service.as();
    const before = await caller.subscribed('BUSINESS');
    for (const plan of plans) await caller.call('DowngradeSubscription', { plan });
    await cancelInPortal(caller);
    await caller.untilSubscription({ plan: 'BUSINESS', cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
    expect(await caller.call('ResumeSubscription', {})).toEqual(before);
    const [provided] = await caller.providerSubscriptions();
    expect([priceOf(provided!), provided!.cancel_at]).toEqual([44_900_000, null]);
    await service.advance((await caller.record()).providerId!);
    await caller.invoices(2);
    expect(await caller.subscription()).toMatchObject({ plan: 'BUSINESS', status: 'active' });
  });

  test('changes nothing while the provider fails', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const canceled = await caller.call('CancelSubscription', {});
    service.proxy.rule = () => 'fail';
    await expect(caller.call('ResumeSubscription', {})).rejects.toEqual(fault('UPSTREAM_UNAVAILABLE'));
    expect(await caller.subscription()).toEqual(canceled);
  });
});

describe('after a change at the provider whose webhook is delayed,', () => {
  const changeUnnoticed = async (caller: Caller, change: Stripe.SubscriptionUpdateParams) => {
    service.receiver.hold = true;
    await service.stripe.subscriptions.update((await caller.record()).providerId!, change);
  };

  test('canceling again takes effect, and each change is attributed to its author', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    await caller.call('CancelSubscription', {});
    await changeUnnoticed(caller, { cancel_at_period_end: false });
    expect(await caller.call('CancelSubscription', {})).toMatchObject({ cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
    expect((await caller.providerSubscriptions())[0]!.cancel_at_period_end).toBe(true);
    expect((await caller.events(4)).map(({ actor }) => actor.type)).toEqual(['system', 'user', 'system', 'user']);
  });

  test('resuming undoes a cancellation', async () => {
    const caller = service.as();
    const before = await caller.subscribed('PRO');
    await changeUnnoticed(caller, { cancel_at_period_end: true });
    expect(await caller.call('ResumeSubscription', {})).toEqual(before);
    expect((await caller.providerSubscriptions())[0]!.cancel_at_period_end).toBe(false);
  });

  test('a repeated downgrade is scheduled again', async () => {
    const caller = service.as();
    await caller.subscribed('BUSINESS');
    const [{ items }] = (await caller.providerSubscriptions()) as [Stripe.Subscription];
    const pending = await caller.call('DowngradeSubscription', { plan: 'PRO' });
    await changeUnnoticed(caller, {
      items: [{ id: items.data[0]!.id, price: items.data[0]!.price.id }],
      proration_behavior: 'none',
    });
    expect(await caller.call('DowngradeSubscription', { plan: 'PRO' })).toEqual(pending);
    expect(priceOf((await caller.providerSubscriptions())[0]!)).toBe(14_900_000);
  });

  test('a downgrade to the plan that the provider has already applied succeeds', async () => {
    const caller = service.as();
    // Ensures that the provider has a price for PRO.
    await service.as().subscribed('PRO');
    await caller.subscribed('BUSINESS');
    const [{ items }] = (await caller.providerSubscriptions()) as [Stripe.Subscription];
    const { data: prices } = await service.stripe.prices.list({ limit: 100 });
    const { id: price } = prices.find(({ unit_amount }) => unit_amount === 14_900_000)!;
    await changeUnnoticed(caller, { items: [{ id: items.data[0]!.id, price }], proration_behavior: 'none' });
    const after = await caller.call('DowngradeSubscription', { plan: 'PRO' });
    expect(after).toMatchObject({ plan: 'PRO', status: 'active' });
    expect(await caller.subscription()).toEqual(after);
  });

  test('a repeated downgrade is rejected if the first one has taken effect', async () => {
    const caller = service.as();
    await caller.subscribed('BUSINESS');
    await caller.call('DowngradeSubscription', { plan: 'PRO' });
    service.receiver.hold = true;
    await service.advance((await caller.record()).providerId!);
    const again = caller.call('DowngradeSubscription', { plan: 'PRO' });
    await expect(again).rejects.toEqual(fault('VALIDATION_ERROR', 'plan'));
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  });
});

test('a downgrade replaces a cancellation that was made in the portal', async () => {
  const caller = service.as();
  await caller.subscribed('BUSINESS');
  await cancelInPortal(caller);
  await caller.untilSubscription({ cancelAtPeriodEnd: true });
  const downgraded = await caller.call('DowngradeSubscription', { plan: 'PRO' });
  expect(downgraded).toMatchObject({ plan: 'BUSINESS', cancelAtPeriodEnd: false, pendingPlan: 'PRO' });
  await service.advance((await caller.record()).providerId!);
  await caller.untilSubscription({ plan: 'PRO', status: 'active' });
});

describe('a change to a subscription', () => {
  /** Cancels, and holds the response of the provider to the cancellation until `release` is called. */
  async function cancelSlowly(caller: Caller) {
    const isChange = ({ method, path }: { method: string; path: string }) =>
      method === 'POST' && path.startsWith('/v1/subscriptions/');
    const { requested, release } = service.proxy.holdResponse(isChange);
    const canceled = caller.call('CancelSubscription', {});
    await requested;
    await until(async () => (await caller.providerSubscriptions())[0]!.cancel_at_period_end);
    return { canceled, release };
  }

  test('starts after an earlier change has finished, so that the last acknowledged change applies', async () => {
    const caller = service.as();
    await caller.subscribed('BUSINESS');
    const { canceled, release } = await cancelSlowly(caller);
    const acknowledged: string[] = [];
    const downgraded = caller.call('DowngradeSubscription', { plan: 'PRO' });
    const both = Promise.all([
      canceled.then(() => acknowledged.push('cancel')),
      downgraded.then(() => acknowledged.push('downgrade')),
    ]);
    // If the downgrade did not wait, it would be acknowledged during these reads, before the cancellation.
    for (let i = 0; i < 50; i += 1) await caller.subscription();
    release();
    await both;
    expect(acknowledged).toEqual(['cancel', 'downgrade']);
    expect(await canceled).toMatchObject({ cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
    expect(await downgraded).toMatchObject({ cancelAtPeriodEnd: false, pendingPlan: 'PRO' });
    expect(await caller.subscription()).toEqual(await downgraded);
  });

  test('fails if another replica undoes it before it finishes', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const { canceled, release } = await cancelSlowly(caller);
    await service.stripe.subscriptions.update((await caller.record()).providerId!, { cancel_at_period_end: false });
    release();
    await expect(canceled).rejects.toEqual(fault('SERVICE_UNAVAILABLE'));
    expect(await caller.subscription()).toMatchObject({ cancelAtPeriodEnd: false });
  });
});

describe('a customer that the provider lacks', () => {
  /** Returns a caller whose subscription record refers to a customer that the provider does not know. */
  async function withMissingCustomer(): Promise<Caller> {
    const caller = service.as();
    await caller.call('CreateCheckout', { plan: 'PRO' });
    const { _id } = await caller.record();
    await service.models.subscriptions.updateOne({ _id }, { $set: { customerId: `cus_missing_${_id}` } });
    return caller;
  }

  test('is replaced at the next checkout, once per operation id, and the workspace can then buy a plan', async () => {
    const caller = await withMissingCustomer();
    const { customerId } = await caller.record();
    await expect(caller.call('CreatePortal', {})).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
    const request = { plan: 'PRO', operationId: newUlid() };
    const checkouts = await Promise.all(
      [1, 2, 3].map(() => service.untilOk(() => caller.call('CreateCheckout', request))),
    );
    expect(new Set(checkouts.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect((await caller.record()).customerId).not.toBe(customerId);
    await pay(checkouts[0]!.checkoutUrl);
    await caller.untilSubscription({ plan: 'PRO', status: 'active' });
    await caller.call('CreatePortal', {});
  });

  test('is replaced even if the earlier checkout had the same operation id', async () => {
    const caller = service.as();
    const request = { plan: 'PRO', operationId: newUlid() };
    await caller.call('CreateCheckout', request);
    const { _id } = await caller.record();
    await service.models.subscriptions.updateOne({ _id }, { $set: { customerId: `cus_missing_${_id}` } });
    await pay((await caller.call('CreateCheckout', request)).checkoutUrl);
    await caller.untilSubscription({ plan: 'PRO', status: 'active' });
  });

  test('is replaced, and its waiting webhooks are then ignored', async () => {
    const caller = await withMissingCustomer();
    const { customerId } = await caller.record();
    await caller.call('CreateCheckout', { plan: 'PRO' });
    const [_id, receivedAt] = [`evt_${customerId}`, new Date()];
    await service.models.webhooks.insertMany([
      { ...{ _id, type: 'invoice.paid', customerId }, ...{ receivedAt, dueAt: receivedAt, attempts: 0, at: null } },
    ]);
    await service.untilEqual(() => service.isHandled(_id), true);
  });

  test('is kept while its subscription is live, if the provider does not say why the customer is missing', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const { _id, customerId } = await caller.record();
    service.receiver.hold = true;
    // The provider would respond like this rule if the secret key were that of another account.
    service.proxy.rule = withoutCustomer(customerId, 'unknown');
    await expect(caller.call('CreateCheckout', { plan: 'BUSINESS' })).rejects.toEqual(fault('UPSTREAM_UNAVAILABLE'));
    await expect(caller.call('CreatePortal', {})).rejects.toEqual(fault('UPSTREAM_UNAVAILABLE'));
    expect(await caller.record()).toMatchObject({ _id, customerId, status: 'active' });
  });
});

describe('a return URL', () => {
  const buy = (returnUrl: string) => service.as().call('CreateCheckout', { plan: 'PRO', returnUrl });

  test.each([
    ['https://go.example/billing', 'https://go.example/billing?'],
    ['https://app.example/a?tab=1#plan', 'https://app.example/a?tab=1&'],
  ])('with an allowed origin (%s) receives the outcome and the session id', async (returnUrl, expected) => {
    const { checkoutUrl, sessionId } = await buy(returnUrl);
    const { cancel_url } = await service.stripe.checkout.sessions.retrieve(sessionId);
    const hash = new URL(returnUrl).hash;
    expect(cancel_url).toBe(`${expected}checkout=canceled${hash}`);
    expect(await pay(checkoutUrl)).toBe(`${expected}checkout=paid&session_id=${sessionId}${hash}`);
  });

  test.each([
    'https://evil.example/',
    'https://go.example.evil.example/',
    'https://go.example@evil.example/',
    'https://user@go.example/',
    'https://user:secret@go.example/',
    'http://go.example/',
    'https://go.example:444/',
    '//go.example/',
    '/billing',
    'javascript:alert(1)//https://go.example/',
    'https://go.example\\@evil.example/',
    'https://go.example/\u0000',
    '',
    `https://go.example/${'x'.repeat(2_048)}`,
  ])('%j is rejected, naming the field', async (returnUrl) => {
    await expect(buy(returnUrl)).rejects.toEqual(fault('VALIDATION_ERROR', 'returnUrl'));
    const caller = service.as();
    await caller.call('CreateCheckout', { plan: 'PRO' });
    await expect(caller.call('CreatePortal', { returnUrl })).rejects.toEqual(fault('VALIDATION_ERROR', 'returnUrl'));
  });
});

describe('the portal', () => {
  test('is created for the customer of the workspace and expires after five minutes', async () => {
    const caller = service.as();
    await caller.call('CreateCheckout', { plan: 'PRO' });
    const { portalUrl, expiresAt } = await caller.call('CreatePortal', { returnUrl: 'https://app.example/billing' });
    const left = Date.parse(expiresAt) - Date.now();
    expect(left).toBeGreaterThan(290_000);
    expect(left).toBeLessThanOrEqual(300_000);
    const page = await fetch(portalUrl);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('https://app.example/billing')]);
    const plain = await fetch((await caller.call('CreatePortal', {})).portalUrl);
    expect(await plain.text()).toContain('https://go.example/app/billing/return?from=portal');
  });

  test('is created once per operation id', async () => {
    const caller = service.as();
    await caller.call('CreateCheckout', { plan: 'PRO' });
    const open = async (operationId: string) => (await caller.call('CreatePortal', { operationId })).portalUrl;
    const [one, other] = [newUlid(), newUlid()];
    const first = await open(one);
    expect(await open(one)).toBe(first);
    expect(await open(other)).not.toBe(first);
  });

  test('throws UPSTREAM_UNAVAILABLE while the provider fails', async () => {
    const caller = service.as();
    await caller.call('CreateCheckout', { plan: 'PRO' });
    service.proxy.rule = () => 'fail';
    await expect(caller.call('CreatePortal', {})).rejects.toEqual(fault('UPSTREAM_UNAVAILABLE'));
  });
});

describe('the state of a checkout', () => {
  const createCheckout = async (caller: Caller, plan = 'PRO') => caller.call('CreateCheckout', { plan });

  test('is open, then paid, and applied once the webhook has arrived', async () => {
    const caller = service.as();
    const { checkoutUrl, sessionId } = await createCheckout(caller);
    expect(await service.checkout(sessionId)).toMatchObject({ status: 'open', applied: false });
    service.receiver.hold = true;
    await pay(checkoutUrl);
    expect(await service.checkout(sessionId)).toMatchObject({ status: 'paid', plan: 'PRO', applied: false });
    const { customerId } = await caller.record();
    const received = () =>
      service.receiver.posted.find(
        ({ customer, type }) => customer === customerId && type === 'checkout.session.completed',
      );
    await service.untilEqual(async () => received() !== undefined, true);
    await service.post(received()!);
    await caller.untilSubscription({ status: 'active' });
    expect(await service.checkout(sessionId)).toMatchObject({ status: 'paid', plan: 'PRO', applied: true });
  });

  test('is expired after its lifetime', async () => {
    const { sessionId } = await createCheckout(service.as());
    await service.stripe.checkout.sessions.expire(sessionId);
    expect(await service.checkout(sessionId)).toMatchObject({ status: 'expired', applied: false });
  });

  test('is unknown once the subscription has ended', async () => {
    const caller = service.as();
    const { sessionId, checkoutUrl } = await createCheckout(caller);
    await pay(checkoutUrl);
    await caller.untilSubscription({ status: 'active' });
    await service.stripe.subscriptions.cancel((await caller.record()).providerId!);
    expect(await service.checkout(sessionId)).toMatchObject({ status: 'unknown', applied: false });
  });

  test('of a foreign session is unknown, without a request to the provider', async () => {
    const caller = service.as();
    await createCheckout(caller);
    const foreign = await service.stripe.checkout.sessions.create({
      mode: 'subscription',
      customer: (await caller.record()).customerId,
      line_items: [{ price: (await service.stripe.prices.list({ limit: 1 })).data[0]!.id, quantity: 1 }],
      success_url: 'https://other.example/',
    });
    service.proxy.requests.splice(0);
    for (const id of [foreign.id, 'cs_test_madeup', ''])
      expect(await service.checkout(id)).toMatchObject({ status: 'unknown' });
    // Webhooks of earlier tests may still be processed, and cause requests for subscriptions.
    expect(service.proxy.requests.filter(({ path }) => path.includes('checkout/sessions'))).toEqual([]);
  });

  test('throws UPSTREAM_UNAVAILABLE while the provider fails', async () => {
    const { sessionId } = await createCheckout(service.as());
    service.proxy.rule = () => 'fail';
    await expect(service.checkout(sessionId)).rejects.toEqual(fault('UPSTREAM_UNAVAILABLE'));
  });
});
