import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import type { ApiCheckout, ApiInvoice, ApiPlan, ApiSubscription } from '../support/billing.js';
import { apiClient, walk, type Client } from '../support/client.js';
import type { ApiAuditEntry, EndpointWithSecret } from '../support/events.js';
import { endPeriod, pay } from '../support/payments.js';
import { accepted, aKey, aPerson, aWorkspace, joins, type ApiWorkspace, type Person } from '../support/people.js';
import { startReceiver, verifySigned, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';

// Contract part 7: what a workspace pays for. Reads a second, by plan, tell the plans apart in the answers' headers.
const reads: Record<string, string> = { FREE: '1001', PRO: '2002', BUSINESS: '3003' };
const limits = Object.fromEntries(
  Object.entries(reads).map(([plan, rate]) => [`RATE_LIMITS_${plan}`, `${rate}/${rate}`]),
);

let stack: Stack;
let receiver: Receiver;
let owner: Person;

beforeAll(async () => {
  stack = await startStack({ env: limits });
  receiver = await startReceiver();
  owner = await aPerson(stack);
}, 40_000);
afterAll(async () => {
  await receiver?.stop();
  await stack?.stop();
}, 30_000);

/** A workspace of its own, which pays for nothing, seen by its owner and through a key. */
async function aShop() {
  const { id } = await aWorkspace(owner);
  const api = owner.in(id);
  const key = apiClient({ ...stack, apiKey: (await aKey(owner, id)).key });
  const subscription = async () => accepted(await api.get<ApiSubscription>('/billing/subscription'));
  const stands = (wanted: Partial<ApiSubscription>) =>
    eventually(async () => {
      const found = await subscription();
      expect(found).toMatchObject(wanted);
      return found;
    });
  const buy = async (plan: string) => {
    await pay(accepted(await api.post<ApiCheckout>('/billing/checkout', { plan })).checkoutUrl);
    return stands({ plan, status: 'active' });
  };
  return { id, api, key, subscription, stands, buy };
}
const planOf = async (api: Client) => accepted(await api.get<ApiPlan>('/billing/plan')).name;
const refusal = ({ status, error }: { status: number; error: { code: string; field?: string } | null }) => [
  status,
  error?.code,
  error?.field,
];

describe('plans', () => {
  test('are public: three of them, in IDR', async () => {
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

  test('are what a workspace was given, without a subscription', async () => {
    const demo = apiClient(stack);
    expect(accepted(await demo.get<ApiPlan>('/billing/plan'))).toMatchObject({
      name: 'BUSINESS',
      limits: { links: 10_000, analyticsRetentionDays: 1_095 },
      rateLimits: { read: 500, write: 100 },
    });
    expect(accepted(await demo.get<ApiSubscription>('/billing/subscription'))).toMatchObject({ status: 'none' });
    const { api } = await aShop();
    expect(await planOf(api)).toBe('FREE');
  });
});

test('a checkout that is paid makes the plan, everywhere within seconds', async () => {
  const { id, api, key, subscription } = await aShop();
  const rate = async (client: Client) => (await client.get('/tags')).headers.get('ratelimit-limit');
  expect([await rate(api), await rate(key)]).toEqual([reads['FREE'], reads['FREE']]);
  const { checkoutUrl, sessionId, expiresAt } = accepted(
    await api.post<ApiCheckout>('/billing/checkout', { plan: 'PRO', currency: 'IDR' }),
  );
  expect([sessionId.length > 0, Date.parse(expiresAt) > Date.now()]).toEqual([true, true]);
  expect((await fetch(checkoutUrl)).status).toBe(200);
  expect(await subscription()).toMatchObject({ plan: 'FREE', status: 'none' });

  expect(await pay(checkoutUrl)).toMatch(new RegExp(`^${stack.baseUrl}/`));
  await eventually(async () => expect(await planOf(api)).toBe('PRO'));
  await eventually(async () => expect([await rate(api), await rate(key)]).toEqual([reads['PRO'], reads['PRO']]));
  expect(accepted(await api.get<ApiWorkspace>('/workspaces/current'))).toMatchObject({ id, plan: 'PRO' });
  const history = await eventually(async () => {
    const found = accepted(await api.get<ApiInvoice[]>('/billing/history'));
    expect(found).toMatchObject([{ amount: 149_000, currency: 'IDR', status: 'paid' }]);
    return found;
  });
  expect(accepted(await key.get('/billing/invoices'))).toEqual(history);
  expect((await fetch(history[0]!.invoiceUrl!)).status).toBe(200);
  expect(refusal(await api.post('/billing/checkout', { plan: 'PRO' }))).toEqual([409, 'SUBSCRIPTION_STATE', undefined]);
});

test('a higher plan replaces the one before', async () => {
  const { api, buy } = await aShop();
  await buy('PRO');
  await buy('BUSINESS');
  expect(await planOf(api)).toBe('BUSINESS');
});

test('a cancellation ends the plan with the period, told once to everybody', async () => {
  const { id, api, key, buy, stands, subscription } = await aShop();
  const endpoint = accepted(await api.post<EndpointWithSecret>('/webhooks', { url: `${receiver.url}/${id}`, events: ['*'] })); // prettier-ignore
  const bought = await buy('PRO');
  const canceled = accepted(
    await api.post<ApiSubscription>('/billing/cancel', undefined, { 'x-request-id': 'batal-1' }),
  );
  expect(canceled).toEqual({ ...bought, cancelAtPeriodEnd: true, pendingPlan: 'FREE' });
  expect(accepted(await key.post<ApiSubscription>('/billing/cancel', undefined))).toEqual(canceled);
  expect(await planOf(api)).toBe('PRO');

  await endPeriod(stack, id);
  await stands({ plan: 'FREE', status: 'canceled', cancelAtPeriodEnd: false });
  await eventually(async () => expect(await planOf(api)).toBe('FREE'));
  await eventually(async () => expect((await api.get('/tags')).headers.get('ratelimit-limit')).toBe(reads['FREE']));
  expect(refusal(await api.post('/billing/cancel', undefined))).toEqual([409, 'SUBSCRIPTION_STATE', undefined]);

  const told = (type: string) => receiver.of(type).filter(({ event }) => event.workspaceId === id);
  await eventually(() => {
    expect(told('subscription.canceled')).toHaveLength(1);
    expect(told('subscription.updated')).toHaveLength(2);
  });
  for (const delivery of [...told('subscription.canceled'), ...told('subscription.updated')]) verifySigned(delivery, endpoint.secret); // prettier-ignore
  expect(told('subscription.canceled')[0]!.event.data).toEqual(await subscription());

  const audited = async (action: string) => accepted(await api.get<ApiAuditEntry[]>(`/audit-log?action=${action}`));
  await eventually(async () => expect(await audited('subscription.canceled')).toHaveLength(1));
  const updates = await audited('subscription.updated');
  expect(updates.map(({ actor }) => actor.type)).toEqual(['user', 'system']);
  expect(updates[0]).toMatchObject({
    requestId: 'batal-1',
    target: { type: 'subscription', id: bought.id },
    changes: { cancelAtPeriodEnd: { before: false, after: true } },
  });
}, 20_000);

test('a lower plan waits for the end of the period, and an unpaid renewal says so', async () => {
  const { id, api, key, buy, stands } = await aShop();
  await buy('BUSINESS');
  const lowered = accepted(await key.post<ApiSubscription>('/billing/downgrade', { plan: 'PRO' }));
  expect(lowered).toMatchObject({ plan: 'BUSINESS', pendingPlan: 'PRO', cancelAtPeriodEnd: false });
  for (const plan of ['BUSINESS', 'GOLD']) {
    expect(refusal(await api.post('/billing/downgrade', { plan }))).toEqual([400, 'VALIDATION_ERROR', 'plan']);
  }
  expect(await planOf(api)).toBe('BUSINESS');

  await endPeriod(stack, id);
  await stands({ plan: 'PRO', status: 'active', pendingPlan: null });
  expect(await planOf(api)).toBe('PRO');
  await endPeriod(stack, id, 'fail');
  await stands({ plan: 'PRO', status: 'past_due' });
  const statuses = async () => (await walk<ApiInvoice>(api, '/billing/history?limit=1')).map(({ status }) => status);
  await eventually(async () => expect(await statuses()).toEqual(['failed', 'paid', 'paid']));
  await endPeriod(stack, id);
  await stands({ plan: 'PRO', status: 'active' });
}, 20_000);

test('members see all of it and change nothing; others see nothing', async () => {
  const { id, buy } = await aShop();
  await buy('PRO');
  const viewer = await aPerson(stack);
  await joins(viewer, 'viewer', { id, by: owner });
  const theirs = viewer.in(id);
  for (const path of ['plan', 'subscription', 'history', 'invoices']) {
    expect([path, (await theirs.get(`/billing/${path}`)).status]).toEqual([path, 200]);
  }
  expect((await theirs.post('/billing/cancel', undefined)).error?.code).toBe('FORBIDDEN');
  expect((await theirs.post('/billing/checkout', { plan: 'BUSINESS' })).error?.code).toBe('FORBIDDEN');
  const stranger = await aPerson(stack);
  expect((await stranger.in(id).get('/billing/subscription')).error?.code).toBe('FORBIDDEN');
});

test('a checkout under one Idempotency-Key is made once', async () => {
  const { api } = await aShop();
  const make = () => api.post<ApiCheckout>('/billing/checkout', { plan: 'PRO' }, { 'idempotency-key': 'beli' });
  const [first, second] = [await make(), await make()];
  expect(accepted(second)).toEqual(accepted(first));
  expect(second.headers.get('idempotency-replayed')).toBe('true');
});

test("a notice that is not the payment provider's is refused", async () => {
  const answer = await fetch(`${stack.baseUrl}/api/v1/billing/provider-webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': 't=1,v1=00' },
    body: JSON.stringify({ id: 'evt_1', type: 'customer.subscription.deleted' }),
  });
  expect([answer.status, ((await answer.json()) as { error: { code: string } }).error.code]).toEqual([400, 'VALIDATION_ERROR']); // prettier-ignore
});
