import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { fail, type ErrorCode } from '@tautan/kit';
import { aSubscription, anInvoice, billing, SUBSCRIPTION_ID } from './testing/billing.js';
import { startGateway, type TestGateway } from './testing/gateway.js';
import { requestsTo } from './testing/services.js';
import { NOW, WORKSPACE_ID } from './testing/people.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(() => {
  gateway.services.calls.splice(0);
  gateway.services.billing = billing();
});
afterAll(() => gateway.stop());

const ask = (method: string, path: string, body?: unknown, headers = {}) =>
  gateway.request(method, `/billing${path}`, body, headers);
const received = (name: string) => requestsTo(gateway.services, name);
const noCredential = { authorization: '' };

test('plans are public and not paginated', async () => {
  const { status, data, meta } = await ask('GET', '/plans', undefined, noCredential);
  expect([status, meta.page]).toEqual([200, { limit: 3, hasMore: false }]);
  expect((data as { name: string }[]).map(({ name }) => name)).toEqual(['FREE', 'PRO', 'BUSINESS']);
  expect((data as object[])[1]).toEqual({
    name: 'PRO',
    price: { amount: 149_000, currency: 'IDR' },
    interval: 'month',
    limits: { links: 1, qrCodes: 2, domains: 3, members: 4, webhookEndpoints: 5, clicks: 6, analyticsRetentionDays: 7 },
    qrLogoEnabled: true,
    rateLimits: { read: 8, write: 9 },
  });
});

test.each(['/plan', '/subscription', '/history', '/invoices'])('%s requires a credential', async (path) => {
  expect((await ask('GET', path, undefined, noCredential)).status).toBe(401);
});

test('the subscription has null for absent values', async () => {
  expect((await ask('GET', '/subscription')).data).toEqual({ ...aSubscription(), pendingPlan: null });
  gateway.services.billing.GetSubscription = async () => ({
    id: SUBSCRIPTION_ID,
    plan: 'FREE',
    status: 'none',
    currency: 'IDR',
  });
  expect((await ask('GET', '/subscription')).data).toEqual({
    id: SUBSCRIPTION_ID,
    plan: 'FREE',
    status: 'none',
    currency: 'IDR',
    currentPeriodStart: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    pendingPlan: null,
  });
});

describe('the invoice history', () => {
  test.each(['/history', '/invoices'])('%s is paginated', async (path) => {
    gateway.services.billing.ListInvoices = async () => ({ invoices: [anInvoice()], nextCursor: 'next' });
    const { data, meta } = await ask('GET', `${path}?limit=1&cursor=here`);
    expect(data).toEqual([{ ...anInvoice(), invoiceUrl: null }]);
    expect(meta.page).toEqual({ limit: 1, hasMore: true, nextCursor: 'next' });
    expect(received('ListInvoices')).toEqual([{ limit: 1, cursor: 'here' }]);
  });

  test.each(['0', '201', 'x'])('rejects the limit %s', async (limit) => {
    const { status, error } = await ask('GET', `/history?limit=${limit}`);
    expect([status, error]).toEqual([400, expect.objectContaining({ code: 'VALIDATION_ERROR', field: 'limit' })]);
  });
});

describe('a checkout', () => {
  test('is created for the workspace, once per Idempotency-Key', async () => {
    const create = () => ask('POST', '/checkout', { plan: 'PRO', currency: 'USD' }, { 'idempotency-key': 'buy' });
    const [first, second] = [await create(), await create()];
    expect(first.status).toBe(201);
    expect(first.data).toEqual({ checkoutUrl: 'https://pay.example/cs_1', sessionId: 'cs_1', expiresAt: NOW });
    expect(second.data).toEqual(first.data);
    expect(received('CreateCheckout')).toEqual([{ plan: 'PRO', currency: 'USD', operationId: expect.any(String) }]);
    expect(gateway.services.calls.find(({ method }) => method === 'CreateCheckout')!.principal!.workspaceId).toBe(
      WORKSPACE_ID,
    );
  });

  test.each([
    [{ plan: 'FREE' }, 'plan'],
    [{}, 'plan'],
    [{ plan: 'PRO', currency: 'EUR' }, 'currency'],
    [{ plan: 'PRO', price: 1 }, 'price'],
  ])('with %p is rejected, and the error names %s', async (body, field) => {
    const { status, error } = await ask('POST', '/checkout', body);
    expect([status, error!.code, error!.field]).toEqual([400, 'VALIDATION_ERROR', field]);
  });
});

test('cancellation and downgrade return the subscription', async () => {
  const canceled = await ask('POST', '/cancel');
  expect([canceled.status, canceled.data]).toEqual([
    200,
    { ...aSubscription({ cancelAtPeriodEnd: true }), pendingPlan: 'FREE' },
  ]);
  const lowered = await ask('POST', '/downgrade', { plan: 'PRO' });
  expect([lowered.status, lowered.data]).toEqual([200, aSubscription({ plan: 'BUSINESS', pendingPlan: 'PRO' })]);
});

describe('a return URL', () => {
  test.each(['/checkout', '/portal'])('is passed to billing by %s', async (path) => {
    const returnUrl = 'https://go.example/billing';
    await ask('POST', path, { returnUrl, ...(path === '/checkout' && { plan: 'PRO' }) });
    expect(received(path === '/checkout' ? 'CreateCheckout' : 'CreatePortal')).toEqual([
      expect.objectContaining({ returnUrl }),
    ]);
  });

  test.each([1, 'x'.repeat(2_049)])('%p is rejected, and the error names the field', async (returnUrl) => {
    const { status, error } = await ask('POST', '/portal', { returnUrl });
    expect([status, error!.code, error!.field]).toEqual([400, 'VALIDATION_ERROR', 'returnUrl']);
  });
});

test('the portal returns its URL, and requires no request body', async () => {
  const { status, data } = await ask('POST', '/portal');
  expect([status, data]).toEqual([201, { portalUrl: 'https://pay.example/portal', expiresAt: NOW }]);
});

test('resuming returns the subscription', async () => {
  const { status, data } = await ask('POST', '/resume');
  expect([status, data]).toEqual([200, { ...aSubscription(), pendingPlan: null }]);
});

test.each<[ErrorCode, number]>([
  ['SUBSCRIPTION_STATE', 409],
  ['UPSTREAM_UNAVAILABLE', 502],
  ['SERVICE_UNAVAILABLE', 503],
])('responds to %s from billing with %d', async (code, status) => {
  gateway.services.billing.CancelSubscription = () => Promise.reject(fail(code, 'No.'));
  const answer = await ask('POST', '/cancel');
  expect([answer.status, answer.error!.code]).toEqual([status, code]);
});

describe('a webhook of the payment provider', () => {
  // JSON.stringify would format this text differently. Its exact bytes are signed and must be forwarded.
  const signed = '{"id": "evt_1",  "type":"invoice.paid"}';
  const post = (body: string, headers: Record<string, string> = {}) =>
    fetch(`${gateway.url}/api/v1/billing/provider-webhook`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': 't=1,v1=ab', ...headers },
    });

  test('needs no credential, and is forwarded to billing unchanged, with its signature', async () => {
    const answer = await post(signed);
    expect([answer.status, ((await answer.json()) as { data: unknown }).data]).toEqual([200, { received: true }]);
    const [{ payload, signature }] = received('ReceiveProviderWebhook') as [{ payload: Uint8Array; signature: string }];
    expect([Buffer.from(payload).toString(), signature]).toEqual([signed, 't=1,v1=ab']);
  });

  test('is rejected if billing rejects it or is unavailable', async () => {
    gateway.services.billing.ReceiveProviderWebhook = () =>
      Promise.reject(fail('VALIDATION_ERROR', 'No.', 'stripe-signature'));
    expect((await post(signed)).status).toBe(400);
    gateway.services.billing.ReceiveProviderWebhook = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'No.'));
    expect((await post(signed)).status).toBe(503);
  });

  test('without a signature is rejected without a call to billing', async () => {
    const answer = await post(signed, { 'stripe-signature': '' });
    expect(answer.status).toBe(400);
    expect(((await answer.json()) as { error: unknown }).error).toMatchObject({
      code: 'VALIDATION_ERROR',
      field: 'stripe-signature',
    });
    expect(received('ReceiveProviderWebhook')).toEqual([]);
  });

  test('must be JSON of at most 1 MiB', async () => {
    expect((await post(' '.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await post(signed, { 'content-type': 'text/plain' })).status).toBe(415);
    expect(received('ReceiveProviderWebhook')).toEqual([]);
  });
});
