import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { createLog } from '@tautan/kit';
import { eventually } from '@tautan/kit/testing';
import { startPayments } from '@tautan/local-payments';
import type { ApiCheckout, ApiPlan, ApiSubscription, ApiUsage } from '../support/billing.js';
import { pay } from '../support/payments.js';
import { accepted, aPerson, aWorkspace } from '../support/people.js';
import { startStack } from '../support/stack.js';

// Installations with a configured payment provider, and without one.

test('the daily reconciliation applies changes whose webhooks never arrived', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tautan-payments-'));
  const [secretKey, webhookSecret] = ['sk_test_1', 'whsec_1'];
  // A closed port, so that no webhook of the provider arrives.
  const webhookUrl = 'http://127.0.0.1:9/';
  const provider = await startPayments({
    port: 0,
    host: '127.0.0.1',
    dataDir: folder,
    secretKey,
    webhookSecret,
    webhookUrl,
    log: createLog('payments', 'silent'),
  });
  const env = {
    PAYMENT_SECRET_KEY: secretKey,
    PAYMENT_WEBHOOK_SECRET: webhookSecret,
    PAYMENT_API_URL: provider.url,
    RECONCILE_INTERVAL_MS: '1000',
  };
  const stack = await startStack({ env });
  try {
    const owner = await aPerson(stack);
    const api = owner.in((await aWorkspace(owner)).id);
    await pay(accepted(await api.post<ApiCheckout>('/billing/checkout', { plan: 'PRO' })).checkoutUrl);
    await eventually(async () => {
      const { plan, status } = accepted(await api.get<ApiSubscription>('/billing/subscription'));
      expect([plan, status]).toEqual(['PRO', 'active']);
    }, 20_000);
    await eventually(async () => expect(accepted(await api.get<ApiUsage>('/billing/usage')).plan).toBe('PRO'));
  } finally {
    await stack.stop();
    await provider.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('without a payment provider every workspace has the plan of DEFAULT_PLAN, and UNLIMITED is never listed', async () => {
  const stack = await startStack({ limits: 'default', env: { DEFAULT_PLAN: 'UNLIMITED', RATE_LIMIT_AUTH: '1000' } });
  try {
    const owner = await aPerson(stack);
    const api = owner.in((await aWorkspace(owner)).id);
    const plan = accepted(await api.get<ApiPlan>('/billing/plan'));
    expect([plan.name, new Set(Object.values(plan.limits))]).toEqual(['UNLIMITED', new Set([null])]);
    const plans = accepted(await api.get<ApiPlan[]>('/billing/plans'));
    expect(plans.map(({ name }) => name)).toEqual(['FREE', 'PRO', 'BUSINESS']);
    const links = Array.from({ length: 60 }, (_, i) => ({ url: `https://example.com/${i}` }));
    expect(accepted(await api.post<{ created: number }>('/links/import', { dryRun: false, links })).created).toBe(60);
    expect(accepted(await api.get<ApiUsage>('/billing/usage')).links).toEqual({ used: 60, limit: null });
    expect((await api.post('/billing/checkout', { plan: 'PRO' })).error?.code).toBe('SERVICE_UNAVAILABLE');
  } finally {
    await stack.stop();
  }
});
