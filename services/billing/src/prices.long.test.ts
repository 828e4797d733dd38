import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog, createMetrics } from '@tautan/kit';
import { readBillingConfig, stripeOf } from './config.js';
import { StripeProvider } from './provider/stripe-provider.js';
import { startService, type Caller, type TestService } from './testing/service.js';

// Tests that the price of a subscription at the provider determines its plan.

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.stop());

const monthly = { currency: 'idr', recurring: { interval: 'month' } } as const;

/** Changes the price of the workspace's subscription as the provider's dashboard does. */
async function reprice(caller: Caller, price: string): Promise<void> {
  const [subscription] = await caller.providerSubscriptions();
  const items = [{ id: subscription!.items.data[0]!.id, price }];
  await service.stripe.subscriptions.update(subscription!.id, { items, proration_behavior: 'none' });
}
const aPrice = async (more: object): Promise<string> =>
  (await service.stripe.prices.create({ ...monthly, unit_amount: 9_900_000, product_data: { name: 'A' }, ...more })).id;
const lookup = async (key: string) => (await service.stripe.prices.list({ lookup_keys: [key] })).data[0]!;

test("changing the price of a subscription in the provider's dashboard changes its plan", async () => {
  const caller = service.as();
  // The first checkout of a plan creates its price.
  await service.as().subscribed('PRO');
  await caller.subscribed('BUSINESS');
  await reprice(caller, (await lookup('tautan_pro_idr_14900000')).id);
  await caller.untilSubscription({ plan: 'PRO', status: 'active' });
  await reprice(caller, (await lookup('tautan_business_idr_44900000')).id);
  await caller.untilSubscription({ plan: 'BUSINESS', status: 'active' });
});

test('resuming restores the price that was paid, even if the plan has another price now', async () => {
  const caller = service.as();
  await caller.subscribed('BUSINESS');
  const paid = await aPrice({ lookup_key: 'tautan_business_idr_9900000' });
  await reprice(caller, paid);
  await caller.call('DowngradeSubscription', { plan: 'PRO' });
  expect(await caller.call('ResumeSubscription', {})).toMatchObject({ plan: 'BUSINESS' });
  expect((await caller.providerSubscriptions())[0]!.items.data[0]!.price.id).toBe(paid);
});

test('metadata that describes no downgrade, or one from another period, does not change the plan', async () => {
  const caller = service.as();
  await caller.subscribed('PRO');
  const startOfOtherPeriod = '4000000000';
  const ineffective: Record<string, string>[] = [
    { plan: 'BUSINESS' },
    { plan: 'BUSINESS', nextPlan: 'PRO', nextPlanAfter: startOfOtherPeriod },
  ];
  for (const metadata of ineffective) {
    const { providerId, revision } = await caller.record();
    await service.stripe.subscriptions.update(providerId!, { metadata });
    await service.untilEqual(async () => (await caller.record()).revision > revision, true);
  }
  expect(await caller.subscription()).toMatchObject({ plan: 'PRO', status: 'active' });
  expect((await caller.subscription()).pendingPlan).toBeUndefined();
});

test('a price belongs to the plan that its lookup key names, even if the key contains an earlier amount', async () => {
  const caller = service.as();
  await caller.subscribed('BUSINESS');
  await reprice(caller, await aPrice({ lookup_key: 'tautan_pro_idr_9900000' }));
  await caller.untilSubscription({ plan: 'PRO', status: 'active' });
});

test("another price of a plan's product belongs to that plan", async () => {
  const caller = service.as();
  // The first checkout of a plan creates its price.
  await service.as().subscribed('PRO');
  await caller.subscribed('BUSINESS');
  const { product } = await lookup('tautan_pro_idr_14900000');
  await reprice(caller, await aPrice({ product_data: undefined, product }));
  await caller.untilSubscription({ plan: 'PRO', status: 'active' });
});

test('a price that belongs to no plan does not change the plan', async () => {
  const caller = service.as();
  await caller.subscribed('BUSINESS');
  const { revision } = await caller.record();
  await reprice(caller, await aPrice({}));
  await service.untilEqual(async () => (await caller.record()).revision > revision, true);
  expect(await caller.subscription()).toMatchObject({ plan: 'BUSINESS', status: 'active' });
  // A downgrade sets one of our prices again.
  expect(await caller.call('DowngradeSubscription', { plan: 'PRO' })).toMatchObject({
    plan: 'BUSINESS',
    pendingPlan: 'PRO',
  });
});

test('a price that the settings assign to a plan belongs to it, regardless of its lookup key', async () => {
  const caller = service.as();
  await caller.subscribed('PRO');
  const id = await aPrice({ lookup_key: 'tautan_pro_idr_1' });
  await reprice(caller, id);
  const provider = new StripeProvider(
    { ...stripeOf(readBillingConfig(service.settings))!, prices: { 'BUSINESS/IDR': id } },
    { log: createLog('test', 'silent'), registry: createMetrics('test'), now: () => new Date() },
  );
  const [provided] = await provider.subscriptions((await caller.record()).customerId);
  provider.close();
  expect(provided).toMatchObject({ plan: 'BUSINESS', nextPlan: null });
});
