import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fail } from '@tautan/kit';
import { startGateway, type TestGateway } from './testing/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ PLAN_BUSINESS: '{"limits":{"links":77,"clicks":null}}' });
});
afterAll(() => gateway.stop());

test('GET /billing/usage combines the counts of the services with the limits of the plan', async () => {
  const { status, data } = await gateway.request('GET', '/billing/usage');
  expect(status).toBe(200);
  expect(data).toEqual({
    period: new Date().toISOString().slice(0, 7),
    plan: 'BUSINESS',
    links: { used: 12, limit: 77 },
    qrCodes: { used: 3, limit: 1_000 },
    domains: { used: 1, limit: 50 },
    members: { used: 2, limit: 50 },
    webhookEndpoints: { used: 0, limit: 20 },
    clicks: { used: 4_210, limit: null },
  });
});

test('GET /billing/usage fails if a service is unavailable, instead of returning partial counts', async () => {
  const { usage } = gateway.services;
  const GetUsage = usage.GetUsage;
  usage.GetUsage = async () => {
    throw fail('SERVICE_UNAVAILABLE', 'The database is unavailable.');
  };
  expect(await gateway.request('GET', '/billing/usage')).toMatchObject({
    status: 503,
    error: { code: 'SERVICE_UNAVAILABLE' },
  });
  usage.GetUsage = GetUsage;
});

test('the OpenAPI document states the limits of the configured plans', async () => {
  const document = (await (await fetch(`${gateway.url}/api/v1/openapi.json`)).json()) as {
    info: { description: string };
  };
  expect(document.info.description).toContain('| links per month | 50 | 1,000 | 77 |');
  expect(document.info.description).toContain('| clicks per month | 10,000 | 250,000 | unlimited |');
});
