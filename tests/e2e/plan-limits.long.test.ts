import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@tautan/kit/testing';
import { defaultPlans, type HardLimitName } from '@tautan/proto';
import type { ApiCheckout, ApiPlan, ApiUsage } from '../support/billing.js';
import type { ApiLink, ApiResponse, Client } from '../support/client.js';
import { endPeriod, pay } from '../support/payments.js';
import { accepted, aPerson, aWorkspace, type Person } from '../support/people.js';
import { startReceiver, type Receiver } from '../support/receiver.js';
import { startStack, type Stack } from '../support/stack.js';
import { visit } from '../support/visitor.js';

// Enforcement of plan limits. The limits are the default ones, except for rate limits, clicks and some limits of PRO.
const CLICK_LIMIT = 5;
const PRO_READ_LIMIT = 3_333;
const url = 'https://example.com/';

let folder: string;
let stack: Stack;
let receiver: Receiver;
let owner: Person;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tautan-plans-'));
  const rateLimits = { read: 100_000, write: 100_000 };
  const plans = {
    FREE: { rateLimits, limits: { clicks: CLICK_LIMIT } },
    PRO: { rateLimits: { ...rateLimits, read: PRO_READ_LIMIT }, limits: { qrCodes: 12, analyticsRetentionDays: 77 } },
    BUSINESS: { rateLimits },
  };
  await writeFile(join(folder, 'plans.json'), JSON.stringify(plans));
  const env = { PLANS_FILE: join(folder, 'plans.json'), RATE_LIMIT_AUTH: '100000', RATE_LIMIT_PUBLIC: '100000' };
  stack = await startStack({ limits: 'default', env });
  receiver = await startReceiver();
  owner = await aPerson(stack);
});
afterAll(async () => {
  await receiver?.stop();
  await stack?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a workspace on the FREE plan. */
async function aFreeWorkspace() {
  const { id } = await aWorkspace(owner);
  const api = owner.in(id);
  const usage = async (): Promise<ApiUsage> => accepted(await api.get<ApiUsage>('/billing/usage'));
  const buy = async (plan: string) => {
    await pay(accepted(await api.post<ApiCheckout>('/billing/checkout', { plan })).checkoutUrl);
    await eventually(async () => expect((await usage()).plan).toBe(plan));
  };
  return { id, api, usage, buy };
}

const errorOf = ({ status, error }: ApiResponse<unknown>) => [status, error?.code, error?.field];
const links = (count: number) => Array.from({ length: count }, (_, i) => ({ url: `${url}${i}` }));
const anEndpointUrl = () => `${receiver.url}/${Math.random().toString(36).slice(2)}`;
const aDomainName = () => `d${Math.random().toString(36).slice(2)}.example.org`;

describe('limits are enforced exactly under concurrency', () => {
  const free = defaultPlans.FREE.limits;
  test.each<[HardLimitName, string, () => object]>([
    ['links', '/links', () => ({ url })],
    ['qrCodes', '/qr-codes', () => ({ url })],
    ['domains', '/domains', () => ({ domain: aDomainName() })],
    ['webhookEndpoints', '/webhooks', () => ({ url: anEndpointUrl(), events: ['*'] })],
    [
      'members',
      '/workspaces/current/members',
      () => ({ email: `${Math.random().toString(36).slice(2)}@example.com`, role: 'member' }),
    ],
  ])('%s: exactly one of 200 concurrent creations succeeds if the limit allows one more', async (limit, path, body) => {
    const { api, usage } = await aFreeWorkspace();
    const before = (await usage())[limit].used;
    for (let i = before; i < free[limit]! - 1; i += 1) expect((await api.post(path, body())).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 200 }, () => api.post(path, body())));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(errorOf)).toEqual(Array.from({ length: 199 }, () => [402, 'PLAN_LIMIT_EXCEEDED', limit]));
    expect(refused[0]!.error!.message).toMatch(
      new RegExp(`FREE plan limits .* to ${free[limit]} \\(in use: ${free[limit]}\\)`),
    );
    expect((await usage())[limit]).toEqual({ used: free[limit], limit: free[limit] });
  });
});

test('a deleted link still counts as usage of the calendar month of its creation; a deleted QR code does not', async () => {
  const { api, usage } = await aFreeWorkspace();
  const link = accepted(await api.post('/links', { url }));
  const code = accepted(await api.post<{ id: string }>('/qr-codes', { url }));
  await api.delete(`/links/${link.id}`);
  await api.delete(`/qr-codes/${code.id}`);
  const { period, links: linkUsage, qrCodes } = await usage();
  expect([period, linkUsage.used, qrCodes.used]).toEqual([new Date().toISOString().slice(0, 7), 1, 0]);
});

test('each link that an import creates counts as usage, and a dry run predicts the result exactly', async () => {
  const { api, usage } = await aFreeWorkspace();
  interface Outcome {
    created: number;
    failed: number;
    results: { status: string; error?: { code: string; field: string } }[];
  }
  const run = async (dryRun: boolean) =>
    accepted(await api.post<Outcome>('/links/import', { dryRun, links: links(60) }));
  const predicted = await run(true);
  expect((await usage()).links.used).toBe(0);
  const outcome = await run(false);
  expect([outcome.created, outcome.failed]).toEqual([50, 10]);
  for (const { results } of [predicted, outcome]) {
    const failed = results.flatMap(({ status, error }, i) =>
      status === 'failed' ? [[i, error!.code, error!.field]] : [],
    );
    expect(failed).toEqual(Array.from({ length: 10 }, (_, i) => [50 + i, 'PLAN_LIMIT_EXCEEDED', 'links']));
  }
  expect((await usage()).links).toEqual({ used: 50, limit: 50 });
});

test('a reached limit prevents creation; links above a lowered limit still redirect, and can be read, changed and deleted', async () => {
  const { id, api, usage, buy } = await aFreeWorkspace();
  await buy('PRO');
  expect((await api.get('/links')).headers.get('ratelimit-limit')).toBe(String(PRO_READ_LIMIT));
  expect(accepted(await api.post<{ created: number }>('/links/import', { links: links(60) })).created).toBe(60);
  accepted(await api.post('/billing/cancel', undefined));
  await endPeriod(stack, id);
  await eventually(async () => expect((await usage()).plan).toBe('FREE'));
  expect((await usage()).links).toEqual({ used: 60, limit: 50 });
  expect(errorOf(await api.post('/links', { url }))).toEqual([402, 'PLAN_LIMIT_EXCEEDED', 'links']);
  const [newest] = accepted(await api.get<ApiLink[]>('/links?limit=1'));
  expect((await visit(stack.baseUrl, `/${newest!.slug}`)).status).toBe(302);
  expect(accepted(await api.patch(`/links/${newest!.id}`, { title: 'Still mine' })).title).toBe('Still mine');
  expect((await api.delete(`/links/${newest!.id}`)).status).toBe(200);
});

test('the limit on tracked clicks is soft: redirects continue beyond it, and reaching 80% and 100% is reported once each', async () => {
  const { api, usage } = await aFreeWorkspace();
  const endpointUrl = anEndpointUrl();
  accepted(await api.post('/webhooks', { url: endpointUrl, events: ['usage.threshold_reached'] }));
  const { slug } = accepted(await api.post('/links', { url }));
  for (let i = 0; i < CLICK_LIMIT + 2; i += 1) expect((await visit(stack.baseUrl, `/${slug}`)).status).toBe(302);
  await eventually(async () => expect((await usage()).clicks).toEqual({ used: CLICK_LIMIT + 2, limit: CLICK_LIMIT }));
  const received = () => receiver.at(new URL(endpointUrl).pathname).map(({ event }) => event.data);
  await eventually(() => Promise.resolve(expect(received()).toHaveLength(2)));
  expect(new Set(received().map(({ threshold }) => threshold))).toEqual(new Set([80, 100]));
  expect(received()[0]).toMatchObject({ limit: 'clicks', max: CLICK_LIMIT, plan: 'FREE' });
});

test('the API, its description, the rate limiter and error messages use the values of the configured plan catalog', async () => {
  const plans = accepted(await owner.api.get<ApiPlan[]>('/billing/plans'));
  const pro = plans.find((plan) => plan.name === 'PRO')!;
  expect([pro.limits.qrCodes, pro.limits.analyticsRetentionDays, pro.rateLimits.read]).toEqual([
    12,
    77,
    PRO_READ_LIMIT,
  ]);
  expect(plans.map((plan) => plan.name)).toEqual(['FREE', 'PRO', 'BUSINESS']);
  const document = (await (await fetch(`${stack.baseUrl}/api/v1/openapi.json`)).json()) as {
    info: { description: string };
  };
  expect(document.info.description).toContain('| QR codes | 10 | 12 | 1,000 |');
  expect(document.info.description).toContain(
    `| reads / writes per second | 100000 / 100000 | ${PRO_READ_LIMIT} / 100000 |`,
  );
  const { api, buy, usage } = await aFreeWorkspace();
  await buy('PRO');
  await createCodes(api, 12);
  const refused = await api.post('/qr-codes', { url });
  expect(errorOf(refused)).toEqual([402, 'PLAN_LIMIT_EXCEEDED', 'qrCodes']);
  expect(refused.error!.message).toContain('PRO plan limits QR codes to 12');
  expect([(await usage()).qrCodes, refused.headers.get('ratelimit-limit')]).toEqual([
    { used: 12, limit: 12 },
    '100000',
  ]);
});

const createCodes = async (api: Client, count: number): Promise<void> => {
  const answers = await Promise.all(Array.from({ length: count }, () => api.post('/qr-codes', { url })));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 201));
};
