import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fail, MemoryLimiter, newId } from '@tautan/kit';
import { generateApiKey } from '@tautan/proto';
import { consumeForAddress } from './limits.js';
import type { Context } from './state.js';
import type { Answer } from './testing/client.js';
import { startGateway, type TestGateway } from './testing/gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    TRUSTED_PROXIES: '127.0.0.1',
    PLAN_FREE: '{"rateLimits":{"read":5,"write":2}}',
    RATE_LIMIT_PUBLIC: '4',
    RATE_LIMIT_PROVIDER: '8',
  });
});
afterAll(() => gateway.stop());

const names = ['limit', 'remaining', 'reset'];
const limitHeaders = ({ headers }: Answer, prefix = 'ratelimit') =>
  names.map((name) => headers.get(`${prefix}-${name}`));
const free = () => ({ authorization: `Bearer ${gateway.services.freeKey}` });
/** Sends `n` requests concurrently, so that all are counted in the same window of one second. */
const sendConcurrently = (n: number, send: () => Promise<Answer>) => Promise.all(Array.from({ length: n }, send));
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

test('limits reads and writes of a workspace separately, by its plan', async () => {
  const reads = await sendConcurrently(8, () => gateway.request('GET', '/tags', undefined, free()));
  const writes = await sendConcurrently(5, () => gateway.request('POST', '/tags', { name: 'a' }, free()));
  expect(statuses(reads)).toEqual([...Array<number>(5).fill(200), 429, 429, 429]);
  expect(statuses(writes)).toEqual([201, 201, 429, 429, 429]);
  const [refused] = reads.filter(({ status }) => status === 429);
  expect(refused!.error!.code).toBe('TOO_MANY_REQUESTS');
  expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(refused!.error!.message).toBe('Rate limit exceeded. Try again in 1 s.');
  expect(limitHeaders(refused!)).toEqual(['5', '0', '1']);
});

test('returns RateLimit and X-RateLimit headers in every response to a caller with valid credentials', async () => {
  for (const [method, path, body] of [
    ['GET', '/tags', undefined],
    ['GET', '/links?limit=0', undefined],
    ['POST', '/tags', '{'],
    ['HEAD', '/tags', undefined],
  ] as const) {
    const answer = await gateway.request(method, path, body);
    expect(limitHeaders(answer)).toEqual(['100000', expect.stringMatching(/^\d+$/), '1']);
    expect(limitHeaders(answer, 'x-ratelimit')).toEqual(limitHeaders(answer));
  }
});

test('if the workspaces service is down, a request with an unknown key gets the headers of the limit for invalid credentials, but does not count against it', async () => {
  const { VerifyApiKey } = gateway.services.apiKeys;
  gateway.services.apiKeys.VerifyApiKey = () => Promise.reject(fail('SERVICE_UNAVAILABLE', 'Unavailable.'));
  const headers = { 'x-forwarded-for': '203.0.113.8', authorization: `Bearer ${generateApiKey().key}` };
  for (let i = 0; i < 3; i += 1) {
    const answer = await gateway.request('GET', '/tags', undefined, headers);
    expect([answer.status, ...limitHeaders(answer)]).toEqual([503, '4', '4', '1']);
    expect(limitHeaders(answer, 'x-ratelimit')).toEqual(limitHeaders(answer));
  }
  gateway.services.apiKeys.VerifyApiKey = VerifyApiKey;
});

test('limits public operations, unknown paths and wrong methods by address', async () => {
  const from = (ip: string) => ({ 'x-forwarded-for': ip, authorization: '' });
  // The first request creates the OpenAPI document. On a busy machine, this can block the event loop for longer than
  // the window.
  await gateway.request('GET', '/openapi.json', undefined, from('203.0.113.10'));
  const answers = await sendConcurrently(6, () =>
    gateway.request('GET', '/openapi.json', undefined, from('203.0.113.1')),
  );
  expect(statuses(answers)).toEqual([200, 200, 200, 200, 429, 429]);
  expect((await gateway.request('GET', '/nothing', undefined, from('203.0.113.1'))).status).toBe(429);
  const elsewhere = await gateway.request('PUT', '/tags', undefined, from('203.0.113.2'));
  expect([elsewhere.status, ...limitHeaders(elsewhere)]).toEqual([405, '4', '3', '1']);
});

test('limits webhooks of the payment provider separately, by address', async () => {
  const from = (ip: string) => ({ 'x-forwarded-for': ip, authorization: '', 'stripe-signature': 't=1,v1=00' });
  const sendWebhook = () => gateway.request('POST', '/billing/provider-webhook', { id: 'evt_1' }, from('203.0.113.9'));
  const answers = await sendConcurrently(10, sendWebhook);
  expect(statuses(answers)).toEqual([...Array<number>(8).fill(200), 429, 429]);
  expect(limitHeaders(answers[0]!)[0]).toBe('8');
  expect((await gateway.request('GET', '/openapi.json', undefined, from('203.0.113.9'))).status).toBe(200);
});

test('limits invalid credentials by address, without affecting cached valid credentials', async () => {
  const from = { 'x-forwarded-for': '203.0.113.3' };
  const guess = () =>
    gateway.request('GET', '/tags', undefined, { ...from, authorization: `Bearer ${generateApiKey().key}` });
  // Earlier requests made the gateway cache the API key that the test client sends by default.
  expect((await gateway.request('GET', '/tags', undefined, from)).status).toBe(200);
  const answers = await sendConcurrently(4, guess);
  expect([...statuses(answers), (await guess()).status]).toEqual([401, 401, 401, 401, 429]);
  expect(limitHeaders(answers[0]!)[0]).toBe('4');
  expect((await gateway.request('GET', '/tags', undefined, from)).status).toBe(200);
});

test('counts neither a valid key used for another workspace nor a cookie sent by another site as invalid credentials', async () => {
  const from = { 'x-forwarded-for': '203.0.113.5' };
  const send = (headers: Record<string, string>, method = 'GET') =>
    gateway.request(method, '/tags', undefined, { ...from, ...headers });
  const wrongWorkspace = await sendConcurrently(5, () => send({ 'x-workspace-id': newId('ws') }));
  const cookie = {
    authorization: '',
    cookie: `tautan_session=tau_session_${'x'.repeat(43)}`,
    'sec-fetch-site': 'cross-site',
  };
  const crossSite = await sendConcurrently(5, () => send(cookie, 'POST'));
  expect(new Set([...statuses(wrongWorkspace), ...statuses(crossSite)])).toEqual(new Set([403]));
  for (const answer of [wrongWorkspace[0]!, crossSite[0]!])
    expect(limitHeaders(answer).slice(0, 2)).toEqual(['4', '4']);
  expect((await send({ authorization: `Bearer ${generateApiKey().key}` })).status).toBe(401);
});

test('applies the limit for invalid credentials to credentials that the identity provider cannot check', async () => {
  const { AuthenticateUser } = gateway.services.identity;
  gateway.services.identity.AuthenticateUser = () => Promise.reject(fail('UPSTREAM_UNAVAILABLE', 'Unavailable.'));
  let guesses = 0;
  const guess = () =>
    gateway.request('GET', '/tags', undefined, {
      'x-forwarded-for': '203.0.113.4',
      authorization: `Bearer opaque-${(guesses += 1)}`,
    });
  const answers = await sendConcurrently(4, guess);
  expect([...statuses(answers), (await guess()).status]).toEqual([502, 502, 502, 502, 429]);
  gateway.services.identity.AuthenticateUser = AuthenticateUser;
});

test('limits an IPv6 /56 to ten times the limit of one client', async () => {
  const frozenClock = () => 0;
  const limitOf = (points: number) => ({
    points,
    limiter: new MemoryLimiter({ points, seconds: 1 }, { now: frozenClock }),
    countRefusal: () => undefined,
  });
  const limit = { narrow: limitOf(4), wide: limitOf(40) };
  const headers = new Map<string, string>();
  const from = async (ip: string) => {
    const ctx = { state: { client: { ip } }, set: (name: string, value: string) => void headers.set(name, value) };
    return consumeForAddress(ctx as unknown as Context, limit);
  };
  for (let subnet = 0x100; subnet < 0x10a; subnet += 1) {
    for (let host = 0; host < 4; host += 1) await from(`2001:db8:5:${subnet.toString(16)}::${host}`);
  }
  const refused = { code: 'TOO_MANY_REQUESTS' };
  await expect(from('2001:db8:5:1ff::1')).rejects.toMatchObject(refused);
  expect([headers.get('RateLimit-Limit'), headers.get('RateLimit-Remaining')]).toEqual(['40', '0']);
  await from('2001:db8:5:200::1');
  for (let i = 0; i < 4; i += 1) await from('203.0.113.9');
  await expect(from('203.0.113.9')).rejects.toMatchObject(refused);
});
