import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { Lease } from './lease.js';
import { readBillingConfig } from './config.js';
import { start } from './main.js';
import { reconcileSubscriptions } from './usecases/reconcile-subscriptions.js';
import { leaseStore } from './store/leases.js';
import { withoutCustomer } from './testing/proxy.js';
import { pay, startService, type Caller, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService({ RECONCILE_INTERVAL_MS: '1000' })));
afterEach(() => {
  service.receiver.hold = false;
  service.proxy.reset();
});
afterAll(() => service.stop());

/** Creates a workspace and calls `act` for it. All webhooks after that are lost. */
async function loseWebhooksAfter(act: (caller: Caller) => Promise<unknown>): Promise<Caller> {
  const caller = service.as();
  await act(caller);
  service.receiver.hold = true;
  return caller;
}
const counted = async (outcome: string): Promise<number> => {
  const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const line = metrics
    .split('\n')
    .find((each) => each.startsWith('tautan_subscriptions_reconciled_total') && each.includes(`outcome="${outcome}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

describe('after webhooks are lost', () => {
  test('a paid checkout is applied, with its invoice', async () => {
    const before = await counted('changed');
    const caller = await loseWebhooksAfter(() => Promise.resolve());
    await pay((await caller.call('CreateCheckout', { plan: 'PRO' })).checkoutUrl);
    expect(await caller.untilSubscription({ status: 'active' })).toMatchObject({ plan: 'PRO' });
    await caller.invoices(1);
    expect(await caller.events(1)).toMatchObject([{ type: 'subscription.updated', actor: { type: 'system' } }]);
    expect(await counted('changed')).toBeGreaterThan(before);
    await service.untilEqual(async () => (await counted('unchanged')) > 0, true);
  });

  test('a plan is applied to a workspace whose subscription record and invoices were lost', async () => {
    const caller = await loseWebhooksAfter((one) => one.subscribed('PRO'));
    await service.models.subscriptions.deleteOne({ workspaceId: caller.workspaceId });
    await service.models.invoices.deleteMany({ workspaceId: caller.workspaceId });
    expect(await caller.untilSubscription({ status: 'active' })).toMatchObject({ plan: 'PRO' });
    await caller.invoices(1);
  });

  test('the end of a subscription is applied', async () => {
    const caller = await loseWebhooksAfter((one) => one.subscribed('PRO'));
    await service.stripe.subscriptions.cancel((await caller.record()).providerId!);
    expect(await caller.untilSubscription({ status: 'canceled' })).toMatchObject({ plan: 'FREE' });
  });

  test('a refund is applied', async () => {
    const caller = await loseWebhooksAfter(async (one) => {
      await one.subscribed('PRO');
      await one.invoices(1);
    });
    const { data } = await service.stripe.charges.list({ customer: (await caller.record()).customerId });
    await service.stripe.refunds.create({ charge: data[0]!.id });
    const status = async () => (await caller.call('ListInvoices', {})).invoices[0]!.status;
    await service.untilEqual(status, 'refunded');
  });
});

test('a failure is counted, and a later pass reconciles the other subscriptions', async () => {
  const [failing, caller] = [service.as(), service.as()];
  for (const one of [failing, caller]) await one.call('CreateCheckout', { plan: 'PRO' });
  const { _id, customerId } = await failing.record();
  const before = await counted('failed');
  service.proxy.rule = ({ path }) => (path.includes(customerId) ? 'fail' : 'pass');
  await service.models.subscriptions.updateOne({ _id }, { $set: { reconcileAt: null } });
  await service.untilEqual(async () => (await counted('failed')) > before, true);
  service.receiver.hold = true;
  await pay((await caller.call('CreateCheckout', { plan: 'PRO' })).checkoutUrl);
  await caller.untilSubscription({ status: 'active' });
});

describe('a customer that the provider lacks', () => {
  test.each(['deleted', 'in test mode'] as const)('loses the plan if the customer is %s', async (why) => {
    const caller = await loseWebhooksAfter((one) => one.subscribed('PRO'));
    service.proxy.rule = withoutCustomer((await caller.record()).customerId, why);
    await caller.untilSubscription({ plan: 'FREE', status: 'canceled' });
    expect((await caller.events(2))[1]).toMatchObject({ type: 'subscription.canceled', actor: { type: 'system' } });
  });

  test('keeps the plan if the customer id is unknown, for example because the secret key belongs to another account', async () => {
    const caller = await loseWebhooksAfter((one) => one.subscribed('PRO'));
    const before = await counted('failed');
    service.proxy.rule = withoutCustomer((await caller.record()).customerId, 'unknown');
    await service.untilEqual(async () => (await counted('failed')) > before, true);
    expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  });

  test('does not end the reconciliation pass', async () => {
    const due = [1, 2].map((n) => ({ workspaceId: `ws_${n}`, customerId: `cus_${n}` }));
    const outcomes: string[] = [];
    await reconcileSubscriptions({
      holdsLease: async () => true,
      intervalMs: 1_000,
      now: () => new Date(),
      count: (outcome: string) => outcomes.push(outcome),
      log: createLog('test', 'silent'),
      signal: new AbortController().signal,
      provider: { recentInvoices: async () => null },
      store: { subscriptions: { takeDue: async () => due.shift() ?? null } },
    } as never);
    expect(outcomes).toEqual(['failed', 'failed']);
  });
});

test('only one of two replicas reconciles', async () => {
  const settings = { ...service.settings, RECONCILE_INTERVAL_MS: '1000' };
  const replica = await start(readBillingConfig(settings));
  try {
    const { owner } = (await service.models.leases.findById('reconciliation').lean())!;
    const currentLease = async () => (await service.models.leases.findById('reconciliation').lean())!;
    const { beat } = await currentLease();
    await service.untilEqual(async () => (await currentLease()).beat > beat + 10, true);
    expect((await currentLease()).owner).toBe(owner);
  } finally {
    await replica.stop();
  }
});

describe('a lease', () => {
  const store = () => leaseStore(service.models);
  let clock = 0;
  const lease = (name: string) => new Lease(store(), name, 1_000, () => clock);

  test("is taken over only if its owner did not renew it in time, by the observer's clock", async () => {
    const [first, second, third] = [lease('a'), lease('a'), lease('a')];
    expect([await first.hold(), await second.hold()]).toEqual([true, false]);
    clock += 999;
    expect([await second.hold(), await first.hold()]).toEqual([false, true]);
    clock += 999;
    expect(await second.hold()).toBe(false);
    clock += 1_000;
    expect([await second.hold(), await third.hold(), await first.hold()]).toEqual([true, false, false]);
  });

  test('has exactly one owner when acquired concurrently', async () => {
    const leases = Array.from({ length: 10 }, () => lease('b'));
    const taken = await Promise.all(leases.map((one) => one.hold()));
    expect(taken.filter(Boolean)).toHaveLength(1);
    clock += 1_000;
    const again = await Promise.all(leases.map((one) => one.hold()));
    expect(again.filter(Boolean)).toHaveLength(1);
  });
});
