import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aPrincipal, startService, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService({ PAYMENT_SECRET_KEY: '', DEFAULT_PLAN: 'UNLIMITED' })));
afterAll(() => service.stop());

test.each([
  ['CreateCheckout', { plan: 'PRO' }],
  ['CreatePortal', {}],
  ['CancelSubscription', {}],
  ['ResumeSubscription', {}],
  ['DowngradeSubscription', { plan: 'FREE' }],
] as const)('%s fails with SERVICE_UNAVAILABLE, because billing is not configured', async (method, input) => {
  const refused = service.as(aPrincipal({ plan: 'UNLIMITED' })).call(method, input);
  await expect(refused).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'Billing is not configured.',
    reason: 'NOT_CONFIGURED',
  });
});

test('a webhook is rejected, so that the provider redelivers it', async () => {
  const refused = service.post({ payload: Buffer.from('{}'), signature: 't=1,v1=00' });
  await expect(refused).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});

test('plan, subscription and invoices can be read; UNLIMITED has no limits and is not listed', async () => {
  const { call } = service.as(aPrincipal({ plan: 'UNLIMITED' }));
  const { name, limits } = await call('GetPlan', {});
  expect(name).toBe('UNLIMITED');
  expect(limits!.links).toBeUndefined();
  expect((await call('ListPlans', {})).plans.map((plan) => plan.name)).toEqual(['FREE', 'PRO', 'BUSINESS']);
  expect(await call('GetSubscription', {})).toMatchObject({ plan: 'FREE', status: 'none' });
  expect((await call('ListInvoices', {})).invoices).toEqual([]);
});
