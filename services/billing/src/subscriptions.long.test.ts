import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type Stripe from 'stripe';
import { aPrincipal, pay, startService, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

/** Returns the monthly price of a subscription at the provider, in hundredths of the currency unit. */
const priceOf = ({ items }: Stripe.Subscription) => items.data[0]!.price.unit_amount;
const fault = (code: string, field?: string) => expect.objectContaining({ code, field });

describe('a workspace without a purchase', () => {
  test('has a subscription on FREE with the status none, and has no invoices', async () => {
    const { call, workspaceId } = service.as();
    expect(await call('GetSubscription', {})).toMatchObject({
      id: workspaceId.replace('ws_', 'sub_'),
      plan: 'FREE',
      status: 'none',
      currency: 'IDR',
      cancelAtPeriodEnd: false,
    });
    expect((await call('ListInvoices', {})).invoices).toEqual([]);
  });

  test('has the plan that an operator assigned; UNLIMITED has no limits and is not listed', async () => {
    const { call, workspaceId } = service.as();
    expect((await call('GetPlan', {})).name).toBe('FREE');
    const onBusiness = service.as(aPrincipal({ workspaceId, plan: 'BUSINESS' }));
    expect(await onBusiness.call('GetPlan', {})).toMatchObject({
      name: 'BUSINESS',
      price: { amount: 449_000, currency: 'IDR' },
    });
    const unlimited = await service.as(aPrincipal({ plan: 'UNLIMITED' })).call('GetPlan', {});
    expect(unlimited).toMatchObject({ name: 'UNLIMITED', price: { amount: 0, currency: 'IDR' } });
    expect(Object.values(unlimited.limits!).filter((limit) => limit !== undefined)).toEqual([]);
    expect((await call('ListPlans', {})).plans.map(({ name }) => name)).toEqual(['FREE', 'PRO', 'BUSINESS']);
  });

  test('cannot cancel, resume or downgrade its subscription, and has no portal', async () => {
    const { call } = service.as();
    await expect(call('CancelSubscription', {})).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
    await expect(call('ResumeSubscription', {})).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
    await expect(call('CreatePortal', {})).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
    await expect(call('DowngradeSubscription', { plan: 'FREE' })).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
  });
});

describe('a checkout', () => {
  test('changes nothing until it is paid, and then sets the plan, with one event and one paid invoice', async () => {
    const caller = service.as();
    const { checkoutUrl, sessionId, expiresAt } = await caller.call('CreateCheckout', { plan: 'PRO' });
    expect(sessionId).toMatch(/^cs_/);
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
    expect(await caller.subscription()).toMatchObject({ plan: 'FREE', status: 'none' });

    expect(await pay(checkoutUrl)).toBe(`https://go.example/app/billing/return?session=${sessionId}`);
    const subscription = await caller.untilSubscription({ status: 'active' });
    expect(subscription).toMatchObject({ plan: 'PRO', currency: 'IDR', cancelAtPeriodEnd: false });
    expect(Date.parse(subscription.currentPeriodEnd!)).toBeGreaterThan(Date.parse(subscription.currentPeriodStart!));

    const [event] = await caller.events(1);
    expect(event!.version).toBeGreaterThan(0);
    expect(event).toMatchObject({
      type: 'subscription.updated',
      actor: { type: 'system' },
      target: { type: 'subscription', id: subscription.id, label: 'PRO' },
      data: { id: subscription.id, plan: 'PRO', status: 'active', pendingPlan: null },
      changes: { plan: { before: 'FREE', after: 'PRO' }, status: { before: 'none', after: 'active' } },
    });
    const invoices = await caller.invoices(1);
    expect(invoices).toMatchObject([{ amount: 149_000, currency: 'IDR', status: 'paid' }]);
    expect(invoices[0]!.description).toContain('Tautan PRO');
    expect((await fetch(invoices[0]!.invoiceUrl!)).status).toBe(200);
  });

  test('is in USD on request', async () => {
    const caller = service.as();
    expect(await caller.subscribed('BUSINESS', 'USD')).toMatchObject({ currency: 'USD' });
    const { call } = service.as({ ...caller.by, plan: 'BUSINESS' });
    expect((await call('GetPlan', {})).price).toEqual({ amount: 29, currency: 'USD' });
    expect(await caller.invoices(1)).toMatchObject([{ amount: 29, currency: 'USD' }]);
  });

  test.each([
    [{ plan: 'FREE' }, 'plan'],
    [{ plan: 'pro' }, 'plan'],
    [{ plan: '' }, 'plan'],
    [{ plan: 'PRO', currency: 'EUR' }, 'currency'],
    [{ plan: 'PRO', currency: '' }, 'currency'],
  ])('with %p is rejected, naming %s', async (input, field) => {
    await expect(service.as().call('CreateCheckout', input)).rejects.toEqual(fault('VALIDATION_ERROR', field));
  });

  test('for a plan not above the current one fails with SUBSCRIPTION_STATE in every state', async () => {
    const caller = service.as();
    const buy = (plan: string) => caller.call('CreateCheckout', { plan });
    await caller.subscribed('BUSINESS');
    await expect(buy('BUSINESS')).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
    await expect(buy('PRO')).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
    await caller.call('DowngradeSubscription', { plan: 'PRO' });
    await expect(buy('PRO')).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
    await caller.call('CancelSubscription', {});
    await expect(buy('BUSINESS')).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
    await caller.call('ResumeSubscription', {});
    await service.advance((await caller.record()).providerId!, 'fail');
    await caller.untilSubscription({ status: 'past_due' });
    await expect(buy('BUSINESS')).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
  });

  test.each(['BUSINESS', 'UNLIMITED'] as const)(
    'for a plan not above one assigned by an operator (%s) fails with SUBSCRIPTION_STATE',
    async (plan) => {
      const caller = service.as(aPrincipal({ plan }));
      await expect(caller.call('CreateCheckout', { plan: 'BUSINESS' })).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
      const { call } = service.as(aPrincipal({ plan: 'PRO' }));
      await expect(call('CreateCheckout', { plan: 'PRO' })).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
      expect((await call('CreateCheckout', { plan: 'BUSINESS' })).sessionId).toMatch(/^cs_/);
    },
  );

  test('for a higher plan is possible while a cancellation is pending', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    await caller.call('CancelSubscription', {});
    expect(await caller.subscribed('BUSINESS')).toMatchObject({ cancelAtPeriodEnd: false });
  });

  test('for a higher plan is rejected in a currency other than that of the subscription', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const inUsd = caller.call('CreateCheckout', { plan: 'BUSINESS', currency: 'USD' });
    await expect(inUsd).rejects.toEqual(fault('VALIDATION_ERROR', 'currency'));
  });

  test('is created once per operation id, and concurrent ones share a customer', async () => {
    const caller = service.as();
    const input = { plan: 'PRO', operationId: 'op1' };
    const checkouts = await Promise.all([1, 2, 3].map(() => caller.call('CreateCheckout', input)));
    expect(new Set(checkouts.map(({ sessionId }) => sessionId)).size).toBe(1);
    const other = await caller.call('CreateCheckout', { plan: 'PRO' });
    expect(other.sessionId).not.toBe(checkouts[0]!.sessionId);
    const { data } = await service.stripe.customers.list({ limit: 100 });
    expect(data.filter(({ metadata }) => metadata['workspaceId'] === caller.workspaceId)).toHaveLength(1);
  });

  test('for a higher plan replaces the previous subscription, which ends at the provider', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const subscription = await caller.subscribed('BUSINESS');
    const statuses = (await caller.providerSubscriptions()).map((one) => `${priceOf(one)} ${one.status}`);
    expect(statuses.sort()).toEqual(['14900000 canceled', '44900000 active']);
    const published = await caller.events(2);
    expect(published.map(({ type, data }) => [type, (data as { plan: string }).plan])).toEqual([
      ['subscription.updated', 'PRO'],
      ['subscription.updated', 'BUSINESS'],
    ]);
    expect(subscription.status).toBe('active');
  });

  test('that is paid after a higher plan was bought creates a subscription that is canceled immediately', async () => {
    const caller = service.as();
    const late = await caller.call('CreateCheckout', { plan: 'PRO' });
    await caller.subscribed('BUSINESS');
    await pay(late.checkoutUrl);
    const lateStatus = async () =>
      (await caller.providerSubscriptions()).find((one) => priceOf(one) === 14_900_000)?.status;
    await service.untilEqual(lateStatus, 'canceled');
    expect(await caller.subscription()).toMatchObject({ plan: 'BUSINESS', status: 'active' });
  });
});

describe('canceling', () => {
  test('takes effect at the end of the period, and its event names the requester; repeating it changes nothing', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const canceled = await caller.call('CancelSubscription', {});
    expect(canceled).toMatchObject({ plan: 'PRO', status: 'active', cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
    expect((await caller.providerSubscriptions())[0]!.cancel_at_period_end).toBe(true);
    expect(await caller.call('CancelSubscription', {})).toEqual(canceled);

    await service.advance((await caller.record()).providerId!);
    expect(await caller.untilSubscription({ status: 'canceled' })).toMatchObject({
      plan: 'FREE',
      cancelAtPeriodEnd: false,
    });
    const published = await caller.events(3);
    const versions = published.map(({ version }) => version!);
    expect(versions).toEqual(versions.toSorted((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
    expect(published.map(({ type, actor }) => [type, actor.type])).toEqual([
      ['subscription.updated', 'system'],
      ['subscription.updated', 'user'],
      ['subscription.canceled', 'system'],
    ]);
    expect(published[1]).toMatchObject({
      actor: { id: caller.by.id },
      ip: caller.by.ip,
      changes: { cancelAtPeriodEnd: { before: false, after: true }, pendingPlan: { before: null, after: 'FREE' } },
    });
    expect(published[2]!.data).toMatchObject({ plan: 'FREE', status: 'canceled' });
    await expect(caller.call('CancelSubscription', {})).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
  });

  test('fails with SUBSCRIPTION_STATE if the subscription has just ended at the provider', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    await service.stripe.subscriptions.cancel((await caller.record()).providerId!);
    await expect(caller.call('CancelSubscription', {})).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
  });

  test('keeps the id of the subscription for a later purchase', async () => {
    const caller = service.as();
    const { id } = await caller.subscribed('PRO');
    await caller.call('CancelSubscription', {});
    await service.advance((await caller.record()).providerId!);
    await caller.untilSubscription({ status: 'canceled' });
    expect((await caller.subscribed('BUSINESS')).id).toBe(id);
  });
});

describe('a downgrade', () => {
  test('is pending until the period ends; then the lower price is charged', async () => {
    const caller = service.as();
    await caller.subscribed('BUSINESS');
    const pending = await caller.call('DowngradeSubscription', { plan: 'PRO' });
    expect(pending).toMatchObject({ plan: 'BUSINESS', status: 'active', cancelAtPeriodEnd: false, pendingPlan: 'PRO' });
    expect(await caller.call('DowngradeSubscription', { plan: 'PRO' })).toEqual(pending);

    await service.advance((await caller.record()).providerId!);
    const after = await caller.untilSubscription({ plan: 'PRO' });
    expect(after.pendingPlan).toBeUndefined();
    expect(after.status).toBe('active');
    const invoices = await caller.invoices(2);
    expect(invoices.map(({ amount }) => amount)).toEqual([149_000, 449_000]);
    const published = await caller.events(3);
    expect(published.map(({ actor }) => actor.type)).toEqual(['system', 'user', 'system']);

    await service.advance((await caller.record()).providerId!);
    expect((await caller.invoices(3))[0]!.amount).toBe(149_000);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  });

  test('to FREE is a cancellation, which a downgrade to PRO undoes', async () => {
    const caller = service.as();
    await caller.subscribed('BUSINESS');
    const free = await caller.call('DowngradeSubscription', { plan: 'FREE' });
    expect(free).toMatchObject({ plan: 'BUSINESS', cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
    const pro = await caller.call('DowngradeSubscription', { plan: 'PRO' });
    expect(pro).toMatchObject({ plan: 'BUSINESS', cancelAtPeriodEnd: false, pendingPlan: 'PRO' });
    const again = await caller.call('DowngradeSubscription', { plan: 'FREE' });
    expect(again).toMatchObject({ cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
    await service.advance((await caller.record()).providerId!);
    await caller.untilSubscription({ status: 'canceled', plan: 'FREE' });
  });

  test.each(['PRO', 'BUSINESS', 'GOLD', ''])('from PRO to %p is rejected, naming the field', async (plan) => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const refused = caller.call('DowngradeSubscription', { plan });
    await expect(refused).rejects.toEqual(fault('VALIDATION_ERROR', 'plan'));
    expect(await caller.events(1)).toHaveLength(1);
  });
});

describe('a failed payment at the renewal', () => {
  test('keeps the plan, with the status past_due until the invoice is paid', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const { providerId } = await caller.record();
    await service.advance(providerId!, 'fail');
    expect(await caller.untilSubscription({ status: 'past_due' })).toMatchObject({ plan: 'PRO' });
    const newest = async () => (await caller.call('ListInvoices', {})).invoices[0]?.status;
    await service.untilEqual(newest, 'failed');
    await expect(caller.call('CreateCheckout', { plan: 'BUSINESS' })).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
    await service.advance(providerId!);
    await caller.untilSubscription({ status: 'active' });
    await service.untilEqual(newest, 'paid');
  });
});

describe('permissions', () => {
  test.each(['member', 'viewer'] as const)('a %s can read the subscription, but not change it', async (role) => {
    const caller = service.as(aPrincipal({ role }));
    await caller.subscription();
    await caller.call('ListInvoices', {});
    await expect(caller.call('CreateCheckout', { plan: 'PRO' })).rejects.toEqual(fault('FORBIDDEN'));
    await expect(caller.call('CancelSubscription', {})).rejects.toEqual(fault('FORBIDDEN'));
    await expect(caller.call('DowngradeSubscription', { plan: 'FREE' })).rejects.toEqual(fault('FORBIDDEN'));
    await expect(caller.call('ResumeSubscription', {})).rejects.toEqual(fault('FORBIDDEN'));
    await expect(caller.call('CreatePortal', {})).rejects.toEqual(fault('FORBIDDEN'));
  });

  test('other workspaces cannot see or change the subscription', async () => {
    const caller = service.as();
    await caller.subscribed('PRO');
    const other = service.as();
    expect((await other.subscription()).status).toBe('none');
    expect((await other.call('ListInvoices', {})).invoices).toEqual([]);
    await expect(other.call('CancelSubscription', {})).rejects.toEqual(fault('SUBSCRIPTION_STATE'));
  });
});
