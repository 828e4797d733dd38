import { describe, expect, test } from '@jest/globals';
import { plansOf, readBillingConfig, stripeOf } from './config.js';
import { defaultPlans } from './domain/plans.js';

const needed = { MONGODB_URI: 'mongodb://db', NATS_URL: 'nats://bus', WORKSPACES_ADDRESS: 'workspaces:50051' };
const payments = { PAYMENT_SECRET_KEY: 'sk_1', PAYMENT_WEBHOOK_SECRET: 'whsec_1', BASE_URL: 'https://go.example/' };
const read = (more: Record<string, string> = {}) => readBillingConfig({ ...needed, ...more });

test('without a provider there is none, and the plans are those by default', () => {
  expect(stripeOf(read())).toBeUndefined();
  expect(plansOf(read())).toEqual(defaultPlans);
});

test('a provider needs its secret and the public address; both are told at once', () => {
  const { successUrl, apiUrl, prices } = stripeOf(read({ ...payments, PAYMENT_PRICES: '{"PRO/USD":"price_1"}' }))!;
  expect([successUrl, apiUrl, prices]).toEqual([
    'https://go.example/?checkout=paid',
    undefined,
    { 'PRO/USD': 'price_1' },
  ]);
  const alone = () => read({ PAYMENT_SECRET_KEY: 'sk_1' });
  expect(alone).toThrow(/PAYMENT_WEBHOOK_SECRET: must be set/);
  expect(alone).toThrow(/BASE_URL: must be set/);
});

test('what is said of a plan is changed, and nothing else', () => {
  const { PRO, BUSINESS } = plansOf(read({ PLAN_PRO: '{"prices":{"IDR":99000},"limits":{"links":5},"rateLimits":{"read":7}}' })); // prettier-ignore
  expect(PRO).toEqual({
    ...defaultPlans.PRO,
    prices: { IDR: 99_000, USD: 9 },
    limits: { ...defaultPlans.PRO.limits, links: 5 },
    rateLimits: { read: 7, write: 20 },
  });
  expect(BUSINESS).toEqual(defaultPlans.BUSINESS);
});

describe('is refused, naming the field', () => {
  test.each([
    [{ PLAN_PRO: 'PRO' }, /PLAN_PRO: must be JSON/],
    [{ PLAN_PRO: '[]' }, /PLAN_PRO: it: /],
    [{ PLAN_PRO: '{"limits":{"links":-1}}' }, /PLAN_PRO: limits\.links: /],
    [{ PLAN_PRO: '{"limits":{"link":1}}' }, /PLAN_PRO: limits: .*link/],
    [{ PLAN_BUSINESS: '{"prices":{"IDR":1.5}}' }, /PLAN_BUSINESS: prices\.IDR: /],
    [{ PLAN_FREE: '{"prices":{"IDR":1}}' }, /PLAN_FREE: prices: must be 0/],
    [{ PAYMENT_PRICES: '{"FREE/IDR":"price_1"}' }, /PAYMENT_PRICES: .*FREE/],
    [{ PAYMENT_API_URL: 'https://stripe.example/v1' }, /PAYMENT_API_URL: must have no path/],
    [{ PAYMENT_API_URL: 'stripe' }, /PAYMENT_API_URL: must be an http/],
  ])('%j', (settings, message) => {
    expect(() => read(settings)).toThrow(message);
  });
});
