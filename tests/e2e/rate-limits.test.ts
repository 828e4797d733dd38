import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { aLink, apiClient, type Client } from '../support/client.js';
import { startStack, type Stack } from '../support/stack.js';

// Contract part 10: rate limits.
let stack: Stack;
let api: Client;

beforeAll(async () => {
  stack = await startStack({ limits: 'default', env: { PLAN_BUSINESS: '{"rateLimits":{"read":50,"write":10}}' } });
  api = apiClient(stack);
}, 40_000);
afterAll(() => stack.stop(), 20_000);

const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1_100));

test('every answer carries RateLimit-Limit, -Remaining, -Reset and the X- twins, errors too', async () => {
  for (const path of ['/links', '/links/absent', '/nowhere']) {
    const { headers } = await api.get(path);
    for (const name of ['limit', 'remaining', 'reset']) {
      expect(headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/);
      expect(headers.get(`x-ratelimit-${name}`)).toBe(headers.get(`ratelimit-${name}`));
    }
  }
});

test('reads beyond the limit are TOO_MANY_REQUESTS with Retry-After, and go on a second later', async () => {
  await nextSecond();
  const answers = await Promise.all(Array.from({ length: 120 }, () => api.get('/tags')));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  // Two windows at most can have been open while the requests ran.
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(110);
  expect(refused[0]!.error!.code).toBe('TOO_MANY_REQUESTS');
  expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refused[0]!.headers.get('ratelimit-remaining')).toBe('0');
  await nextSecond();
  expect((await api.get('/tags')).status).toBe(200);
});

test('reads and writes are counted apart', async () => {
  await nextSecond();
  const writes = await Promise.all(Array.from({ length: 40 }, () => api.post('/links', { url: 'nonsense' })));
  expect(writes.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  expect((await api.get('/tags')).status).toBe(200);
});

test('redirects are never limited', async () => {
  await nextSecond();
  const { slug } = await aLink(api);
  const statuses = await Promise.all(
    Array.from({ length: 300 }, () =>
      fetch(`${stack.baseUrl}/${slug}`, { redirect: 'manual' }).then(({ status }) => status),
    ),
  );
  expect(new Set(statuses)).toEqual(new Set([302]));
});

test('public endpoints allow 60 a second per address, and X-Forwarded-For does not evade that', async () => {
  await nextSecond();
  const statuses = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      fetch(`${stack.baseUrl}/api/v1/openapi.json`, { headers: { 'x-forwarded-for': `203.0.113.${i}` } }).then(
        (answer) => answer.arrayBuffer().then(() => answer.status),
      ),
    ),
  );
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
});

test('auth endpoints together allow 10 a minute per address, whoever they say they are forwarded for', async () => {
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
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, (_, i) => (i % 2 ? 401 : 200)), 429, 429, 429, 429]); // prettier-ignore
  const wait = Number(answers.at(-1)!.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await api.get('/tags')).status).toBe(200);
});
