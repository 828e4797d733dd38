import { describe, expect, test } from '@jest/globals';
import { plansOf } from '@tautan/plans';
import { defaultPlans } from '@tautan/proto';
import { readBillingConfig, stripeOf } from './config.js';

const needed = { MONGODB_URI: 'mongodb://db', NATS_URL: 'nats://bus', BIND_HOST: 'localhost' };
const payments = { PAYMENT_SECRET_KEY: 'sk_1', PAYMENT_WEBHOOK_SECRET: 'whsec_1', BASE_URL: 'https://go.example/' };
const read = (more: Record<string, string> = {}) => readBillingConfig({ ...needed, ...more });

test('without provider settings there is no provider, and plans have their defaults', () => {
  expect(stripeOf(read())).toBeUndefined();
  expect(plansOf(read())).toEqual(defaultPlans);
});

test('a provider requires the webhook secret and the public address; missing settings are reported together', () => {
  const { apiUrl, prices } = stripeOf(read({ ...payments, PAYMENT_PRICES: '{"PRO/USD":"price_1"}' }))!;
  expect([apiUrl, prices]).toEqual([undefined, { 'PRO/USD': 'price_1' }]);
  const alone = () => read({ PAYMENT_SECRET_KEY: 'sk_1' });
  expect(alone).toThrow(/PAYMENT_WEBHOOK_SECRET: must be set/);
  expect(alone).toThrow(/BASE_URL: must be set/);
});

test('a plan override changes only the given fields', () => {
  const { PRO, BUSINESS } = plansOf(
    read({ PLAN_PRO: '{"prices":{"IDR":99000},"limits":{"links":5},"rateLimits":{"read":7}}' }),
  );
  expect(PRO).toEqual({
    ...defaultPlans.PRO,
    prices: { IDR: 99_000, USD: 9 },
    limits: { ...defaultPlans.PRO.limits, links: 5 },
    rateLimits: { read: 7, write: 20 },
  });
  expect(BUSINESS).toEqual(defaultPlans.BUSINESS);
});

test('DEFAULT_PLAN can be any plan without a provider, but only FREE with one', () => {
  expect(read({ DEFAULT_PLAN: 'UNLIMITED' }).DEFAULT_PLAN).toBe('UNLIMITED');
  expect(read({ ...payments, DEFAULT_PLAN: 'FREE' }).DEFAULT_PLAN).toBe('FREE');
  expect(() => read({ ...payments, DEFAULT_PLAN: 'PRO' })).toThrow(
    /DEFAULT_PLAN: must be FREE if PAYMENT_SECRET_KEY is set/,
  );
});

describe('rejects, naming the field,', () => {
  test.each([
    [{ PLAN_PRO: 'PRO' }, /PLAN_PRO: must be valid JSON/],
    [{ PLAN_PRO: '[]' }, /PLAN_PRO: value: /],
    [{ PLAN_PRO: '{"limits":{"links":-1}}' }, /PLAN_PRO: limits\.links: /],
    [{ PLAN_PRO: '{"limits":{"link":1}}' }, /PLAN_PRO: limits: .*link/],
    [{ PLAN_BUSINESS: '{"prices":{"IDR":1.5}}' }, /PLAN_BUSINESS: prices\.IDR: /],
    [{ PLAN_FREE: '{"prices":{"IDR":1}}' }, /PLAN_FREE: prices: must be 0/],
    [{ PAYMENT_PRICES: '{"FREE/IDR":"price_1"}' }, /PAYMENT_PRICES: .*FREE/],
    [{ RETURN_ORIGINS: 'https://app.example/path' }, /RETURN_ORIGINS: must be origins/],
    [{ RETURN_ORIGINS: 'https://app.example,ftp://app.example' }, /RETURN_ORIGINS: must be origins/],
    [{ RECONCILE_INTERVAL_MS: '1' }, /RECONCILE_INTERVAL_MS: /],
    [{ DEFAULT_PLAN: 'GOLD' }, /DEFAULT_PLAN: /],
    [{ PAYMENT_API_URL: 'https://stripe.example/v1' }, /PAYMENT_API_URL: must have no path/],
    [{ PAYMENT_API_URL: 'stripe' }, /PAYMENT_API_URL: must be an http/],
  ])('%j', (settings, message) => {
    expect(() => read(settings)).toThrow(message);
  });
});
