import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startService, type TestService } from './testing/service.js';

let service: TestService;
beforeAll(async () => void (service = await startService({ PAYMENT_TIMEOUT_MS: '300' })));
afterEach(() => service.proxy.reset());
afterAll(() => service.stop());

const fault = (code: string, field?: string) => expect.objectContaining({ code, field });

describe.each(['fail', 'hang', 'lose'] as const)('while the provider does not respond correctly (%s)', (how) => {
  test('a checkout is rejected, and the subscription does not change', async () => {
    const caller = service.as();
    service.proxy.rule = () => how;
    await expect(caller.call('CreateCheckout', { plan: 'PRO' })).rejects.toEqual(fault('UPSTREAM_UNAVAILABLE'));
    expect(await caller.subscription()).toMatchObject({ plan: 'FREE', status: 'none' });
  });
});

test.each(['fail', 'hang'] as const)(
  'a subscription stays unchanged while the provider executes no requests (%s), and can be canceled afterwards',
  async (how) => {
    const caller = service.as();
    const before = await service.untilOk(() => caller.subscribed('BUSINESS'));
    service.proxy.rule = () => how;
    await expect(caller.call('CancelSubscription', {})).rejects.toEqual(fault('UPSTREAM_UNAVAILABLE'));
    await expect(caller.call('DowngradeSubscription', { plan: 'PRO' })).rejects.toEqual(fault('UPSTREAM_UNAVAILABLE'));
    expect(await caller.subscription()).toEqual(before);
    service.proxy.reset();
    const canceled = await service.untilOk(() => caller.call('CancelSubscription', {}));
    expect(canceled).toMatchObject({ cancelAtPeriodEnd: true });
  },
);

test.each([429, 503])('passes on the Retry-After of a provider that responds with %i', async (status) => {
  const caller = service.as();
  await service.untilOk(() => caller.subscribed('PRO'));
  const cancelWith = async (retryAfter: string): Promise<unknown> => {
    service.proxy.rule = () => ({ status, retryAfter });
    return caller.call('CancelSubscription', {}).catch((error: unknown) => error);
  };
  expect(await cancelWith('17')).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: 17 });
  expect(await cancelWith('soon')).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: undefined });
  expect(await cancelWith('999999')).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE', retryAfter: 3_600 });
  service.proxy.reset();
  await service.untilOk(() => caller.call('CancelSubscription', {}));
});

test('a cancellation whose response was lost is applied, and attributed to its requester', async () => {
  const caller = service.as();
  await caller.subscribed('PRO');
  service.proxy.rule = ({ method, path }) =>
    method === 'POST' && path.startsWith('/v1/subscriptions/') ? 'lose' : 'pass';
  await expect(caller.call('CancelSubscription', {})).rejects.toEqual(fault('UPSTREAM_UNAVAILABLE'));
  await caller.untilSubscription({ cancelAtPeriodEnd: true });
  expect((await caller.events(2))[1]!.actor).toMatchObject({ type: 'user', id: caller.by.id });
});

test.each([
  ['cancellation', 'CancelSubscription', {}, 'FREE'],
  ['downgrade', 'DowngradeSubscription', { plan: 'PRO' }, 'PRO'],
] as const)(
  'a %s that the provider accepted but that cannot be stored is applied later, as the error message says',
  async (_, method, request, pendingPlan) => {
    const caller = service.as();
    await caller.subscribed('BUSINESS');
    const { _id: id } = await caller.record();
    // Every state that is read from the provider is outdated before it can be written.
    service.proxy.rule = ({ path }) =>
      path.startsWith('/v1/subscriptions?')
        ? service.models.subscriptions.updateOne({ _id: id }, { $inc: { revision: 1 } }).exec()
        : 'pass';
    const message = expect.stringMatching(/has received the change. It will be applied here/);
    await expect(caller.call(method, request)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', message });
    service.proxy.reset();
    await caller.untilSubscription({ plan: 'BUSINESS', pendingPlan });
  },
);

test('plans, subscriptions and invoices are readable while the provider is unavailable', async () => {
  service.proxy.rule = () => 'hang';
  const { call } = service.as();
  expect((await call('ListPlans', {})).plans.map(({ name }) => name)).toEqual(['FREE', 'PRO', 'BUSINESS']);
  expect((await call('GetPlan', {})).name).toBe('FREE');
  expect((await call('GetSubscription', {})).status).toBe('none');
  expect((await call('ListInvoices', {})).invoices).toEqual([]);
});
