import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, until } from '@tautan/kit/testing';
import { aLink, apiClient, type ApiLink, type Client } from '../support/client.js';
import { startStack, type Stack } from '../support/stack.js';
import { visit, type Visit } from '../support/visitor.js';

let stack: Stack;
let api: Client;

beforeAll(async () => {
  stack = await startStack({ limits: 'default', env: { PLAN_BUSINESS: '{"rateLimits":{"read":50,"write":10}}' } });
  api = apiClient(stack);
});
afterAll(() => stack.stop());

const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1_100));

test('every response, including errors, has RateLimit-Limit, -Remaining, -Reset and their X- variants', async () => {
  for (const path of ['/links', '/links/absent', '/nowhere']) {
    const { headers } = await api.get(path);
    for (const name of ['limit', 'remaining', 'reset']) {
      expect(headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/);
      expect(headers.get(`x-ratelimit-${name}`)).toBe(headers.get(`ratelimit-${name}`));
    }
  }
});

test('reads beyond the limit return TOO_MANY_REQUESTS with Retry-After, and succeed a second later', async () => {
  await nextSecond();
  const answers = await Promise.all(Array.from({ length: 120 }, () => api.get('/tags')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  // The requests span at most two windows, each of which allows 50 reads. The bound includes a margin of 10%.
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(110);
  expect(refused[0]!.error!.code).toBe('TOO_MANY_REQUESTS');
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refused[0]!.headers.get('ratelimit-remaining')).toBe('0');
  await nextSecond();
  expect((await api.get('/tags')).status).toBe(200);
});

test('reads and writes are counted separately', async () => {
  await nextSecond();
  const writes = await Promise.all(Array.from({ length: 40 }, () => api.post('/links', { url: 'nonsense' })));
  expect(writes.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  expect((await api.get('/tags')).status).toBe(200);
});

test('visits to links without maxClicks are never limited', async () => {
  await nextSecond();
  const { slug } = await aLink(api);
  const statuses = await Promise.all(
    Array.from({ length: 300 }, () =>
      fetch(`${stack.baseUrl}/${slug}`, { redirect: 'manual' }).then(({ status }) => status),
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([302]));
});

describe('a client address that visits links', () => {
  const count = (visits: Visit[], status: number) => visits.filter((each) => each.status === status).length;
  const many = (n: number, visitOne: (i: number) => Promise<Visit>) =>
    Promise.all(Array.from({ length: n }, (_, i) => visitOne(i)));
  /** Visits the redirect process directly, like a trusted proxy that forwards these headers. */
  const asProxy = async (path: string, headers: Record<string, string> = {}) => {
    const redirect = (await stack.quickstart()).services.find(({ name }) => name === 'redirect')!;
    return visit(redirect.http!, path, { headers: { host: new URL(stack.baseUrl).host, ...headers } });
  };

  test('can make 30 visits per minute to a link that has maxClicks; rejected visits are not counted as clicks', async () => {
    const link = await aLink(api, { maxClicks: 50 });
    const visits = await many(60, () => visit(stack.baseUrl, `/${link.slug}`));
    expect([count(visits, 302), count(visits, 429)]).toEqual([30, 30]);
    const other = await aLink(api, { maxClicks: 50 });
    expect((await visit(stack.baseUrl, `/${other.slug}`)).status).toBe(302);
    expect((await asProxy(`/${link.slug}`, { 'x-forwarded-for': '203.0.113.1' })).status).toBe(302);
    await eventually(async () => expect((await api.get<ApiLink>(`/links/${link.id}`)).data.clickCount).toBe(31), 5_000);
    await eventually(async () => expect((await api.get<ApiLink>(`/links/${other.id}`)).data.clickCount).toBe(1), 5_000);
    expect((await api.get<ApiLink>(`/links/${link.id}`)).data).toMatchObject({ clickCount: 31, status: 'active' });
  });

  test('is limited to 300 requests per minute for unknown slugs; cached links and other addresses are not affected', async () => {
    const { slug } = await aLink(api);
    // Wait until the link's events no longer evict it from caches.
    await nextSecond();
    expect((await visit(stack.baseUrl, `/${slug}`)).status).toBe(302);
    const guesses = await many(400, (i) => visit(stack.baseUrl, `/guess-${i}`));
    expect([count(guesses, 404), count(guesses, 429)]).toEqual([300, 100]);
    const { headers } = guesses.find(({ status }) => status === 429)!;
    expect(headers['cache-control']).toContain('no-store');
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    const evading = { headers: { 'x-forwarded-for': '203.0.113.1' } };
    expect((await visit(stack.baseUrl, '/guess-evading', evading)).status).toBe(429);
    expect(count(await many(300, () => visit(stack.baseUrl, `/${slug}`)), 302)).toBe(300);
    expect((await asProxy('/guess-0', { 'x-forwarded-for': '203.0.113.1' })).status).toBe(404);
    expect((await asProxy('/guess-0', { 'x-forwarded-for': '127.0.0.1' })).status).toBe(429);
  });

  test('is not limited if a trusted proxy does not forward the address', async () => {
    expect(count(await many(400, (i) => asProxy(`/proxied-${i}`)), 404)).toBe(400);
    const link = await aLink(api, { maxClicks: 50 });
    const visits = await many(60, () => asProxy(`/${link.slug}`));
    expect([count(visits, 302), count(visits, 410)]).toEqual([50, 10]);
  });
});

test('public endpoints limit the requests of an address, regardless of X-Forwarded-For', async () => {
  const burst = () =>
    Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const headers = { 'x-forwarded-for': `203.0.113.${i}` };
        return (await fetch(`${stack.baseUrl}/api/v1/openapi.json`, { method: 'HEAD', headers })).status;
      }),
    );
  // On a busy machine, a burst can take several seconds and stay below the limit, so repeat it.
  await until(async () => (await burst()).includes(429));
});

test('auth endpoints together allow 10 requests per minute per address, regardless of X-Forwarded-For', async () => {
  const ask = (path: string, i: number) =>
    fetch(`${stack.baseUrl}/api/v1/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': `203.0.113.${i}` },
      body: JSON.stringify({
        email: 'siapa@example.com',
        ...(path === 'login' && { password: 'kata sandi yang salah' }),
      }),
    });
  const answers = [];
  for (let i = 0; i < 14; i += 1) answers.push(await ask(i % 2 ? 'login' : 'forgot-password', i));
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 10 }, (_, i) => (i % 2 ? 401 : 200)),
    429,
    429,
    429,
    429,
  ]);
  const wait = Number(answers.at(-1)!.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await api.get('/tags')).status).toBe(200);
});
