import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { ApiCheckout, ApiInvoice, ApiPlan, ApiPortal, ApiSubscription } from '../support/billing.js';
import { apiClient, listAll, type Client } from '../support/client.js';
import type { ApiAuditEntry, EndpointWithSecret } from '../support/events.js';
import { endPeriod, pay, postProviderWebhook, reprice, subscriptionOf } from '../support/payments.js';
import { accepted, aKey, aPerson, aWorkspace, joins, type ApiWorkspace, type Person } from '../support/people.js';
import { startReceiver, verifySigned, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';

// Tests plans, subscriptions, checkouts, the portal and the webhooks of the payment provider.

/** Rate limits that differ by plan, so that response headers reveal a workspace's plan. */
const rateLimits = { FREE: 1_001, PRO: 2_002, BUSINESS: 3_003 };
const environment = {
  // Low, to verify that it does not apply to the webhooks of the payment provider.
  RATE_LIMIT_PUBLIC: '60',
  ...Object.fromEntries(
    Object.entries(rateLimits).map(([plan, rate]) => [
      `PLAN_${plan}`,
      JSON.stringify({ rateLimits: { read: rate, write: rate } }),
    ]),
  ),
};

let stack: Stack;
let receiver: Receiver;
let owner: Person;

beforeAll(async () => {
  stack = await startStack({ env: environment });
  receiver = await startReceiver();
  owner = await aPerson(stack);
});
afterAll(async () => {
  await receiver?.stop();
  await stack?.stop();
});

/**
 * Creates a workspace without a subscription. Returns its id, its owner's client (`api`), a client with an API key
 * (`keyClient`), and functions that read, await and buy a subscription.
 */
async function aFreeWorkspace() {
  const { id } = await aWorkspace(owner);
  const api = owner.in(id);
  const keyClient = apiClient({ ...stack, apiKey: (await aKey(owner, id)).key });
  const subscription = async () => accepted(await api.get<ApiSubscription>('/billing/subscription'));
  const untilSubscription = (wanted: Partial<ApiSubscription>) =>
    eventually(async () => {
      const found = await subscription();
      expect(found).toMatchObject(wanted);
      return found;
    });
  const buy = async (plan: ApiSubscription['plan']) => {
    await pay(accepted(await api.post<ApiCheckout>('/billing/checkout', { plan })).checkoutUrl);
    return untilSubscription({ plan, status: 'active' });
  };
  return { id, api, keyClient, subscription, untilSubscription, buy };
}
const planOf = async (api: Client) => accepted(await api.get<ApiPlan>('/billing/plan')).name;
const errorOf = ({ status, error }: { status: number; error: { code: string; field?: string } | null }) => [
  status,
  error?.code,
  error?.field,
];

describe('plans', () => {
  test('are listed publicly (FREE, PRO and BUSINESS, in IDR), without UNLIMITED', async () => {
    const answer = await fetch(`${stack.baseUrl}/api/v1/billing/plans`);
    const { data } = (await answer.json()) as { data: ApiPlan[] };
    expect(data.map(({ name, price: { amount, currency } }) => [name, amount, currency])).toEqual([
      ['FREE', 0, 'IDR'],
      ['PRO', 149_000, 'IDR'],
      ['BUSINESS', 449_000, 'IDR'],
    ]);
    expect(data.map(({ limits: { links } }) => links)).toEqual([50, 1_000, 10_000]);
    expect(data.every(({ qrLogoEnabled, interval }) => qrLogoEnabled && interval === 'month')).toBe(true);
  });

  test('without a subscription, the current plan is the one that an operator assigned, or FREE', async () => {
    const demo = apiClient(stack);
    expect(accepted(await demo.get<ApiPlan>('/billing/plan'))).toMatchObject({
      name: 'BUSINESS',
      limits: { links: 10_000, analyticsRetentionDays: 1_095 },
      rateLimits: { read: rateLimits['BUSINESS'] },
    });
    expect(accepted(await demo.get<ApiSubscription>('/billing/subscription'))).toMatchObject({ status: 'none' });
    const { api } = await aFreeWorkspace();
    expect(await planOf(api)).toBe('FREE');
  });
});

test('a paid checkout activates the plan; an unpaid one changes nothing', async () => {
  const { id, api, keyClient, subscription } = await aFreeWorkspace();
  const rate = async (client: Client) => Number((await client.get('/tags')).headers.get('ratelimit-limit'));
  expect([await rate(api), await rate(keyClient)]).toEqual([rateLimits['FREE'], rateLimits['FREE']]);
  const { checkoutUrl, sessionId, expiresAt } = accepted(
    await api.post<ApiCheckout>('/billing/checkout', { plan: 'PRO', currency: 'IDR' }),
  );
  expect([sessionId.length > 0, Date.parse(expiresAt) > Date.now()]).toEqual([true, true]);
  expect((await fetch(checkoutUrl)).status).toBe(200);
  expect(await subscription()).toMatchObject({ plan: 'FREE', status: 'none' });

  expect(await pay(checkoutUrl)).toMatch(new RegExp(`^${stack.baseUrl}/`));
  await eventually(async () => expect(await planOf(api)).toBe('PRO'));
  await eventually(async () =>
    expect([await rate(api), await rate(keyClient)]).toEqual([rateLimits['PRO'], rateLimits['PRO']]),
  );
  expect(accepted(await api.get<ApiWorkspace>('/workspaces/current'))).toMatchObject({ id, plan: 'PRO' });
  const history = await eventually(async () => {
    const found = accepted(await api.get<ApiInvoice[]>('/billing/history'));
    expect(found).toMatchObject([{ amount: 149_000, currency: 'IDR', status: 'paid' }]);
    return found;
  });
  expect(accepted(await keyClient.get('/billing/invoices'))).toEqual(history);
  expect((await fetch(history[0]!.invoiceUrl!)).status).toBe(200);
  expect(errorOf(await api.post('/billing/checkout', { plan: 'PRO' }))).toEqual([409, 'SUBSCRIPTION_STATE', undefined]);
});

test('buying a higher plan upgrades the workspace', async () => {
  const { api, buy } = await aFreeWorkspace();
  await buy('PRO');
  await buy('BUSINESS');
  await eventually(async () => expect(await planOf(api)).toBe('BUSINESS'));
});

test('cancel sets cancelAtPeriodEnd locally and at the provider; the plan is FREE after the period', async () => {
  const { id, api, keyClient, buy, untilSubscription, subscription } = await aFreeWorkspace();
  const endpoint = accepted(
    await api.post<EndpointWithSecret>('/webhooks', { url: `${receiver.url}/${id}`, events: ['*'] }),
  );
  const bought = await buy('PRO');
  const canceled = accepted(
    await api.post<ApiSubscription>('/billing/cancel', undefined, { 'x-request-id': 'batal-1' }),
  );
  expect(canceled).toEqual({ ...bought, cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
  expect(accepted(await keyClient.post<ApiSubscription>('/billing/cancel', undefined))).toEqual(canceled);
  await eventually(async () => expect(await planOf(api)).toBe('PRO'));
  expect((await subscriptionOf(stack, id)).cancel_at_period_end).toBe(true);

  await endPeriod(stack, id);
  await untilSubscription({ plan: 'FREE', status: 'canceled', cancelAtPeriodEnd: false });
  await eventually(async () => expect(await planOf(api)).toBe('FREE'));
  await eventually(async () =>
    expect(Number((await api.get('/tags')).headers.get('ratelimit-limit'))).toBe(rateLimits['FREE']),
  );
  expect(errorOf(await api.post('/billing/cancel', undefined))).toEqual([409, 'SUBSCRIPTION_STATE', undefined]);

  const received = (type: string) => receiver.of(type).filter(({ event }) => event.workspaceId === id);
  await eventually(() => {
    expect(received('subscription.canceled')).toHaveLength(1);
    expect(received('subscription.updated')).toHaveLength(2);
  });
  for (const delivery of [...received('subscription.canceled'), ...received('subscription.updated')])
    verifySigned(delivery, endpoint.secret);
  expect(received('subscription.canceled')[0]!.event.data).toEqual(await subscription());

  const audited = async (action: string) => accepted(await api.get<ApiAuditEntry[]>(`/audit-log?action=${action}`));
  await eventually(async () => expect(await audited('subscription.canceled')).toHaveLength(1));
  const updates = await eventually(async () => {
    const found = await audited('subscription.updated');
    expect(found.map(({ actor }) => actor.type)).toEqual(['user', 'system']);
    return found;
  });
  expect(updates[0]).toMatchObject({
    requestId: 'batal-1',
    target: { type: 'subscription', id: bought.id },
    changes: { cancelAtPeriodEnd: { before: false, after: true } },
  });
});

test('downgrade sets pendingPlan, which applies after the period; an unpaid renewal makes the subscription past_due', async () => {
  const { id, api, keyClient, buy, untilSubscription } = await aFreeWorkspace();
  await buy('BUSINESS');
  const lowered = accepted(await keyClient.post<ApiSubscription>('/billing/downgrade', { plan: 'PRO' }));
  expect(lowered).toMatchObject({ plan: 'BUSINESS', pendingPlan: 'PRO', cancelAtPeriodEnd: false });
  for (const plan of ['BUSINESS', 'GOLD']) {
    expect(errorOf(await api.post('/billing/downgrade', { plan }))).toEqual([400, 'VALIDATION_ERROR', 'plan']);
  }
  await eventually(async () => expect(await planOf(api)).toBe('BUSINESS'));

  await endPeriod(stack, id);
  await untilSubscription({ plan: 'PRO', status: 'active', pendingPlan: null });
  await eventually(async () => expect(await planOf(api)).toBe('PRO'));
  await endPeriod(stack, id, 'fail');
  await untilSubscription({ plan: 'PRO', status: 'past_due' });
  const statuses = async () => (await listAll<ApiInvoice>(api, '/billing/history?limit=1')).map(({ status }) => status);
  await eventually(async () => expect(await statuses()).toEqual(['failed', 'paid', 'paid']));
  await endPeriod(stack, id);
  await untilSubscription({ plan: 'PRO', status: 'active' });
});

test('every member can read billing; viewers cannot change it, and non-members cannot read it', async () => {
  const { id, buy } = await aFreeWorkspace();
  await buy('PRO');
  const viewer = await aPerson(stack);
  await joins(viewer, 'viewer', { id, by: owner });
  const viewerApi = viewer.in(id);
  for (const path of ['plan', 'subscription', 'history', 'invoices']) {
    expect([path, (await viewerApi.get(`/billing/${path}`)).status]).toEqual([path, 200]);
  }
  expect((await viewerApi.post('/billing/cancel', undefined)).error?.code).toBe('FORBIDDEN');
  expect((await viewerApi.post('/billing/checkout', { plan: 'BUSINESS' })).error?.code).toBe('FORBIDDEN');
  expect((await viewerApi.post('/billing/resume', undefined)).error?.code).toBe('FORBIDDEN');
  expect((await viewerApi.post('/billing/portal', undefined)).error?.code).toBe('FORBIDDEN');
  const stranger = await aPerson(stack);
  expect((await stranger.in(id).get('/billing/subscription')).error?.code).toBe('FORBIDDEN');
});

test('a checkout is created once per Idempotency-Key', async () => {
  const { api } = await aFreeWorkspace();
  const checkOut = () => api.post<ApiCheckout>('/billing/checkout', { plan: 'PRO' }, { 'idempotency-key': 'beli' });
  const [first, second] = [await checkOut(), await checkOut()];
  expect(accepted(second)).toEqual(accepted(first));
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

test('cancel, resume, portal and downgrade return SUBSCRIPTION_STATE if there is no subscription', async () => {
  const { api } = await aFreeWorkspace();
  for (const [path, body] of [['cancel'], ['resume'], ['portal', {}], ['downgrade', { plan: 'FREE' }]] as const) {
    expect([path, ...errorOf(await api.post(`/billing/${path}`, body))]).toEqual([
      path,
      409,
      'SUBSCRIPTION_STATE',
      undefined,
    ]);
  }
});

test('a checkout for a plan that is not higher than the current one returns SUBSCRIPTION_STATE', async () => {
  const { api, buy } = await aFreeWorkspace();
  await buy('PRO');
  expect(errorOf(await api.post('/billing/checkout', { plan: 'PRO' }))).toEqual([409, 'SUBSCRIPTION_STATE', undefined]);
  accepted(await api.post('/billing/cancel', undefined));
  expect(errorOf(await api.post('/billing/checkout', { plan: 'PRO' }))).toEqual([409, 'SUBSCRIPTION_STATE', undefined]);
  // The demo workspace has the BUSINESS plan from an operator.
  const demo = apiClient(stack);
  for (const plan of ['PRO', 'BUSINESS']) {
    expect(errorOf(await demo.post('/billing/checkout', { plan }))).toEqual([409, 'SUBSCRIPTION_STATE', undefined]);
  }
});

test('resume reverts cancel and downgrade, locally and at the provider', async () => {
  const { id, api, buy } = await aFreeWorkspace();
  const bought = await buy('BUSINESS');
  accepted(await api.post('/billing/downgrade', { plan: 'PRO' }));
  expect(accepted(await api.post('/billing/resume', undefined))).toEqual(bought);
  accepted(await api.post('/billing/cancel', undefined));
  expect(accepted(await api.post('/billing/resume', undefined))).toEqual(bought);
  expect((await subscriptionOf(stack, id)).cancel_at_period_end).toBe(false);
  expect(accepted(await api.post('/billing/resume', undefined))).toEqual(bought);
});

test('checkout and portal accept only a returnUrl of this service', async () => {
  const { api, buy } = await aFreeWorkspace();
  const returnUrl = `${stack.baseUrl}/settings?tab=billing`;
  const { checkoutUrl, sessionId } = accepted(
    await api.post<ApiCheckout>('/billing/checkout', { plan: 'PRO', returnUrl }),
  );
  expect(await pay(checkoutUrl)).toBe(`${returnUrl}&checkout=paid&session_id=${sessionId}`);
  await buy('BUSINESS');
  const { portalUrl, expiresAt } = accepted(await api.post<ApiPortal>('/billing/portal', { returnUrl }));
  expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(300_000);
  expect(await (await fetch(portalUrl)).text()).toContain(returnUrl);
  for (const elsewhere of ['https://evil.example/', `https://evil.example/?${stack.baseUrl}`, 'javascript:alert(1)']) {
    const refused = [
      await api.post('/billing/checkout', { plan: 'BUSINESS', returnUrl: elsewhere }),
      await api.post('/billing/portal', { returnUrl: elsewhere }),
    ];
    for (const each of refused) expect(errorOf(each)).toEqual([400, 'VALIDATION_ERROR', 'returnUrl']);
  }
});

test('the plan is determined by the price at the provider, not by metadata', async () => {
  const { id, api, buy, untilSubscription } = await aFreeWorkspace();
  await buy('PRO');
  await buy('BUSINESS');
  await reprice(stack, id, 'tautan_pro_idr_14900000');
  await untilSubscription({ plan: 'PRO', status: 'active' });
  await eventually(async () => expect(await planOf(api)).toBe('PRO'));
});

describe('webhooks of the payment provider', () => {
  test('are rejected without a valid signature', async () => {
    const answer = await fetch(`${stack.baseUrl}/api/v1/billing/provider-webhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
      body: JSON.stringify({ id: 'evt_1', type: 'customer.subscription.deleted' }),
    });
    expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'VALIDATION_ERROR',
    ]);
  });

  test('are rejected if they are not JSON', async () => {
    expect(await postProviderWebhook(stack, 'id=evt_1')).toBe(400);
  });

  test('are not subject to the public rate limit: 200 concurrent webhooks, including a duplicate, are accepted', async () => {
    const { id, buy, subscription } = await aFreeWorkspace();
    const before = await buy('PRO');
    const { customer, id: subscriptionId } = await subscriptionOf(stack, id);
    const event = (n: number) =>
      JSON.stringify({
        id: `evt_${id}_${n}`,
        type: 'customer.subscription.updated',
        data: { object: { id: subscriptionId, customer } },
      });
    const statuses = await Promise.all(
      Array.from({ length: 200 }, (_, n) => postProviderWebhook(stack, event(n % 199))),
    );
    expect(statuses).toEqual(Array(200).fill(200));
    expect(await subscription()).toEqual(before);
  });
});
